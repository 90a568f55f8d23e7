import { expect, test } from 'vitest'
import type { Column } from '#contract/database/pg-meta-shapes'
import { rowJson } from './row-json.ts'

// Only what is read here.
const column = (name: string, format: string) => ({ name, format }) as Column

test('a row as JSON loses no digit and tells NULL from empty text', () => {
  const columns = [
    column('id', 'int8'),
    column('n', 'numeric'),
    column('f', 'float8'),
    column('ok', 'bool'),
    column('d"oc', 'jsonb'),
    column('t', 'text'),
    column('none', 'text'),
    column('long', 'text'),
  ]
  const texts = ['9223372036854775807', '0.10', 'NaN', 'true', '{"a": 1}', '', null, 'head']
  const json = rowJson(
    columns,
    texts.map((text, at) => ({ text, cut: at === 7 })),
  )
  expect(json).toContain('"id": 9223372036854775807,')
  expect(json).toContain('"n": 0.10,')
  expect(JSON.parse(json)).toMatchObject({
    f: 'NaN',
    ok: true,
    'd"oc': { a: 1 },
    t: '',
    none: null,
    long: 'head…',
  })
})
