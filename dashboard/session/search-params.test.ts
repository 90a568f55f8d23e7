import { expect, test } from 'vitest'
import { flag, id, oneOf, searchParams, text, textParams, texts } from './search-params.ts'

test('only the named texts of an address are kept, and none that is empty', () => {
  const search = { q: 'books', schema: '', mark: 7, other: 'x', of: undefined }
  expect(textParams('q', 'schema', 'mark', 'of')(search)).toEqual({ q: 'books' })
})

test('each parameter is read as what it is', () => {
  const read = searchParams({
    view: oneOf('table', 'cards'),
    invite: flag,
    tester: id,
    filter: texts,
    q: text,
  })
  expect(
    read({ view: 'table', invite: 'true', tester: '12', filter: ['a', '', 3, 'b'], q: 'x' }),
  ).toEqual({ view: 'table', invite: true, tester: 12, filter: ['a', 'b'], q: 'x' })
  expect(read({ filter: 'a', invite: true, tester: 3 })).toEqual({
    filter: ['a'],
    invite: true,
    tester: 3,
  })
})

test('what no such page would write is as if it were not there', () => {
  const read = searchParams({ view: oneOf('table'), invite: flag, tester: id, filter: texts })
  for (const wrong of ['', 'constructor', 'False', '0', '-1', '1.5', 0, null, {}, []])
    expect(read({ view: wrong, invite: wrong, tester: wrong, filter: [wrong].flat(2) })).toEqual(
      typeof wrong === 'string' && wrong !== '' ? { filter: [wrong] } : {},
    )
})
