import { expect, test } from 'vitest'
import type { TrashedProject } from '#contract/projects/trash'
import { denialOf, kindText, leftText, restoreDenialOf, standingText } from './trash-columns.tsx'

const now = new Date('2026-03-01T12:00:00Z')
const project: TrashedProject = {
  ref: 'abcdefghijklmnopqrst',
  name: 'Books',
  branch: null,
  branches: 0,
  deleted_by: 'ada@example.com',
  deleted_at: '2026-02-11T12:00:00.000Z',
  removed_for_good_at: '2026-03-13T12:00:00.000Z',
  state: 'waiting',
  allowed: true,
}
const branch = { name: 'next', parent_ref: 'b', parent_name: 'Films', parent_deleted: true }

test.each([
  ['2026-03-13T12:00:00Z', 'in 12 days'],
  ['2026-03-02T12:00:00Z', 'in 1 day'],
  ['2026-03-02T11:30:00Z', 'in 23 hours'],
  ['2026-03-01T13:00:00Z', 'in 1 hour'],
  ['2026-03-01T12:30:00Z', 'within an hour'],
  ['2026-02-01T12:00:00Z', 'within an hour'],
])('what is removed at %s is removed %s', (at, words) => {
  expect(leftText(at, now)).toBe(words)
})

test('what it is, and what is going on with it', () => {
  expect([kindText(project), kindText({ branch })]).toEqual(['Project', 'Branch of Films'])
  expect(standingText(project, now)).toBe('Removed for good in 12 days')
  expect(standingText({ ...project, state: 'stopping' }, now)).toBe('Being deleted')
  expect(standingText({ ...project, state: 'removing' }, now)).toBe('Being removed for good')
})

test('what cannot be done says why', () => {
  expect([denialOf(project), restoreDenialOf(project)]).toEqual([undefined, undefined])
  expect(denialOf({ ...project, allowed: false })).toMatch(/role/)
  expect(restoreDenialOf({ ...project, allowed: false })).toMatch(/role/)
  expect(denialOf({ ...project, state: 'removing' })).toMatch(/removed for good/)
  expect(denialOf({ ...project, branch })).toBeUndefined()
  expect(restoreDenialOf({ ...project, branch })).toBe('Restore Films first')
})
