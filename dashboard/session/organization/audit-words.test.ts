import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '#kit/root'
import { actionWords, deedOf, edgeOf } from './audit-words.ts'

test('actions in words; what has none is shown by its name', () => {
  expect(actionWords('projects.create')).toBe('Created a project')
  expect(deedOf('oauthApps.rotateSecret')).toBe('created a new secret of an OAuth app')
  for (const name of ['', 'projects', 'projects.unknown', 'unknown.create', '__proto__.create'])
    expect(actionWords(name)).toBeUndefined()
})

/** What the control plane records, as its sources say it. */
function recordedActions(): string[] {
  const folder = join(root, 'control-plane')
  const text = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|testing\//.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
  const named = [...text.matchAll(/\baction: '([\w-]+\.\w+)'/g)]
  const passed = [
    ...text.matchAll(
      /\b(?:change|write|record\w*|audited|entry)\(\s*(?:tx,\s*|\{[^}]*\},\s*|\w+,\s*)?'([\w-]+\.\w+)'/g,
    ),
  ]
  return [...new Set([...named, ...passed].map(([, name = '']) => name))]
}

test('everything that the control plane records has words', () => {
  const actions = recordedActions()
  expect(actions.length).toBeGreaterThan(60)
  expect(actions.filter((name) => deedOf(name) === undefined)).toEqual([])
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
