import { expect, test } from 'vitest'
import { LogField, type LogFilter } from '#contract/observability/logs'
import {
  facetFields,
  mostChosen,
  valuesOf,
  withoutField,
  withValue,
  type FacetField,
} from './Facets.tsx'

const facet = (field: FacetField['field']): FacetField => {
  const found = facetFields.find((one) => one.field === field)
  if (!found) throw new Error(`${field} is not counted`)
  return found
}
const other: LogFilter = { field: 'path', op: 'contains', values: ['/rest'] }
const methods: LogFilter = { field: 'method', op: 'is', values: ['PUT'] }

test('the server knows every field that is counted', () => {
  for (const { field } of facetFields) expect(LogField.safeParse(field).success).toBe(true)
})

test('what is chosen is there though it does not occur, and nothing is counted before the answer', () => {
  expect(valuesOf(facet('method'), undefined, [other, methods])).toEqual([
    { value: 'PUT', count: undefined, isChosen: true },
  ])
  const facets = { method: [{ value: 'GET', count: 3 }] }
  expect(valuesOf(facet('method'), facets, [other, methods])).toEqual([
    { value: 'GET', count: 3, isChosen: false },
    { value: 'PUT', count: 0, isChosen: true },
  ])
  expect(valuesOf(facet('path'), facets, [other])).toEqual([])
})

test('levels stand by how bad they are, all else by how often it occurs', () => {
  const level = ['info', 'debug', 'error', 'warning'].map((value) => ({ value, count: 1 }))
  const status = [200, 500, 404].map((value) => ({ value, count: 1 }))
  const names = (field: FacetField['field']) =>
    valuesOf(facet(field), { level, status }, []).map(({ value }) => value)
  expect(names('level')).toEqual(['error', 'warning', 'info', 'debug'])
  expect(names('status')).toEqual(['200', '500', '404'])
})

test('a value is chosen and not any more, beside whatever else is asked', () => {
  const both = withValue(facet('method'), [methods, other], 'GET', true)
  expect(both).toEqual([other, { field: 'method', op: 'is', values: ['PUT', 'GET'] }])
  expect(withValue(facet('method'), both, 'PUT', false)).toEqual([
    other,
    { field: 'method', op: 'is', values: ['GET'] },
  ])
  expect(withoutField(facet('method'), both)).toEqual([other])
  // A condition that was typed on the same field is no choice of values.
  expect(withValue(facet('path'), [other], '/a', true)).toEqual([
    other,
    { field: 'path', op: 'is', values: ['/a'] },
  ])
})

test('a filter takes no more values than the server does', () => {
  let filters: LogFilter[] = []
  for (let at = 0; at < 30; at += 1) filters = withValue(facet('path'), filters, `/${at}`, true)
  expect(filters[0]?.values).toHaveLength(mostChosen)
  expect(filters[0]?.values.at(-1)).toBe('/29')
})
