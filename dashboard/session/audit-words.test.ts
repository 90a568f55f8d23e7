import { expect, test } from 'vitest'
import { actionWords, edgeOf } from './audit-words.ts'

test('actions in words; what has none is shown by its name', () => {
  expect(actionWords('projects.create')).toBe('Created project')
  expect(actionWords('oauthApps.rotateSecret')).toBe('Made a new secret of app')
  expect(actionWords('transfer.run')).toBe('Transferred project')
  for (const name of ['', 'projects', 'projects.unknown', 'unknown.create', '__proto__.create'])
    expect(actionWords(name)).toBeUndefined()
})

test('a day has a start and an end, in the own zone', () => {
  const start = new Date(edgeOf('2026-03-04', 'start') ?? '')
  const end = new Date(edgeOf('2026-03-04', 'end') ?? '')
  expect([start.getHours(), start.getDate()]).toEqual([0, 4])
  expect([end.getHours(), end.getDate()]).toEqual([23, 4])
})

test('what is no day is left out', () => {
  for (const day of [undefined, '', 'today', '2026-2-1', '2026-13-01', "2026-01-01' or 1"])
    expect(edgeOf(day, 'start')).toBeUndefined()
})
