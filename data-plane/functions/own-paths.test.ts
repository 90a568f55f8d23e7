import { expect, test } from 'vitest'
import { ownPaths } from './own-paths.ts'

const shown = ownPaths({
  folder: '/tmp/plinth/w/1',
  code: '/tmp/plinth/w/1/code',
  bootstrap: '/srv/plinth/dist/worker/bootstrap.js',
})

test('files of a function are shown as it knows them, and what is around it is not', () => {
  const output = [
    'Error: oops',
    '    at file:///tmp/plinth/w/1/code/index.ts:3:9',
    '    at asked (file:///tmp/plinth/w/1/code/lib/a.ts:1:1)',
    '    at answer (file:///srv/plinth/dist/worker/bootstrap.js:9:9)',
    'cannot open /tmp/plinth/w/1/tmp/x',
  ].join('\n')
  expect(shown(output)).toBe(
    [
      'Error: oops',
      '    at file:///index.ts:3:9',
      '    at asked (file:///lib/a.ts:1:1)',
      'cannot open /tmp/x',
    ].join('\n'),
  )
})

test('all else stays as it was said', () => {
  for (const text of ['', 'at home', '{ a: 1 }\n    at the end']) expect(shown(text)).toBe(text)
})
