import { expect, test } from 'vitest'
import type { EntityColumn } from '#contract/database/pg-meta-shapes'
import { filterOperators } from '#contract/database/rows/table-rows'
import { columnOf } from '../../../../testing/columns.ts'
import { operatorsFor } from './operators.ts'

const column = (format: string, more: Partial<EntityColumn> = {}) => columnOf('c', format, more)
const list = column('_text', { data_type: 'ARRAY' })

test.each([
  ['text', column('text'), ['contains', 'starts with', 'between', '~~'], ['@>', '&&', 'exists']],
  ['numbers', column('int4'), ['between', '>', 'in'], ['@>', 'starts with', 'exists']],
  ['dates', column('timestamptz'), ['between', '<='], ['@>', 'exists']],
  ['arrays', list, ['@>', '&&', 'is'], ['between', 'starts with', 'exists', '>']],
  ['documents', column('jsonb'), ['@>', 'contains', 'is'], ['between', '&&', '>', 'exists']],
  ['booleans', column('bool'), ['is'], ['contains', 'between', '>']],
  ['ranges', column('int4range'), ['@>', '&&', '='], ['exists']],
])('%s are offered what they can be compared by', (_, of, offered, not) => {
  expect(operatorsFor(of)).toEqual(expect.arrayContaining(offered))
  for (const one of not) expect(operatorsFor(of)).not.toContain(one)
})

test('a part of a document is compared as text', () => {
  const offered = operatorsFor(column('jsonb'), true)
  expect(offered).toEqual(expect.arrayContaining(['=', '<>', 'contains', 'exists']))
  expect(offered).not.toContain('>')
})

test('no operator is offered twice, and each one somewhere', () => {
  const all = [column('text'), list, column('jsonb')].map((one) => operatorsFor(one))
  all.push(operatorsFor(column('jsonb'), true))
  for (const offered of all) expect(new Set(offered).size).toBe(offered.length)
  expect(new Set(all.flat())).toEqual(new Set(filterOperators))
})
