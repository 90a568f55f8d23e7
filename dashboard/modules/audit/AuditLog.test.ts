import { expect, test } from 'vitest'
import { differences } from './AuditLog.tsx'

test('fields of both sides, in the order in which they occur', () => {
  expect(
    differences({
      name: 'Books',
      before: { status: 'ACTIVE_HEALTHY', tags: [] },
      after: { status: 'PAUSING', size: null, on: false },
    }),
  ).toEqual([
    { name: 'status', before: 'ACTIVE_HEALTHY', after: 'PAUSING' },
    { name: 'tags', before: 'none', after: '–' },
    { name: 'size', before: '–', after: '–' },
    { name: 'on', before: '–', after: 'false' },
  ])
})

test('entries without sides, or with something else in their place, have none', () => {
  for (const change of [{}, { before: 'x', after: 7 }, { after: ['a'] }, { before: null }])
    expect(differences(change)).toEqual([])
})

test('texts and lists are shown as people write them, the rest as JSON', () => {
  const [line] = differences({ after: { scopes: ['a:read', 'b:write'] } })
  expect(line?.after).toBe('a:read, b:write')
  expect(differences({ after: { name: '' } })[0]?.after).toBe('empty')
  expect(differences({ after: { deep: { a: 1 } } })[0]?.after).toBe('{"a":1}')
})
