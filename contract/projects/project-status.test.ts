import { expect, test } from 'vitest'
import {
  movesInto,
  projectDeadlines,
  projectMoves,
  projectStatuses,
  type ProjectStatus,
} from './project-status.ts'

test('every status but REMOVED and the observed UNKNOWN can be left, and all can be reached', () => {
  for (const status of projectStatuses) {
    const stays = status === 'REMOVED' || status === 'UNKNOWN'
    expect([status, projectMoves[status].length === 0]).toEqual([status, stays])
    const starts = status === 'COMING_UP' || status === 'UNKNOWN'
    expect(starts || movesInto(status).length > 0).toBe(true)
  }
})

test('from every status there is a way to REMOVED', () => {
  for (const start of projectStatuses.filter((status) => status !== 'UNKNOWN')) {
    const seen = new Set<ProjectStatus>([start])
    for (const status of seen) for (const next of projectMoves[status]) seen.add(next)
    expect(seen.has('REMOVED')).toBe(true)
  }
})

test('whatever has a deadline has a failure to go to', () => {
  for (const status of projectStatuses.filter((name) => projectDeadlines[name])) {
    expect(projectMoves[status].some((to) => /FAILED|UNHEALTHY/.test(to))).toBe(true)
  }
})
