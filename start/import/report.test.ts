import { expect, test } from 'vitest'
import { createReport, linesOf, printable } from './report.ts'

test('what was imported, what was left out and why, and what to do next', () => {
  const report = createReport('there', 'here')
  report.count('data', 'row', { found: 5 })
  report.count('data', 'row', { imported: 3, before: 2 })
  report.count('schema', 'table', { found: 2, imported: 2 })
  for (let at = 0; at < 22; at += 1) report.leave('schema', 'cast', `cast ${at}`, 'by hand')
  report.leave('auth', 'user', 'x', 'taken')
  report.advise('sign in')
  report.advise('sign in')
  const result = report.end()
  expect(result).toMatchObject({ source: 'there', target: 'here', whole: false, next: ['sign in'] })
  expect(result.left_out).toHaveLength(23)
  const lines = linesOf(result, false)
  expect(lines.slice(0, 6)).toEqual([
    'from there to project here',
    'schema',
    '  table: 2 of 2',
    'data',
    '  row: 3 of 5, 2 before',
    'left out: 23',
  ])
  expect(lines).toContain('  schema, cast: by hand')
  expect(lines).toContain('    and 2 more, which --json lists')
  expect(lines.at(-1)).toBe('imported, but for what is listed above')
  expect(linesOf(createReport('a', 'b').end(), false).at(-1)).toBe('everything was imported')
  expect(linesOf(result, true)).toContain('  row: 5')
})

test('a name of the source cannot write to a terminal', () => {
  expect(printable('a\u001b[31mb\rc\u009bd\u202ee\nf')).toBe(
    String.raw`a\u{1b}[31mb\u{d}c\u{9b}d\u{202e}e f`,
  )
})
