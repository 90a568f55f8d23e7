import fc from 'fast-check'
import { loadModule, parseSync } from 'libpg-query'
import { beforeAll, expect, test } from 'vitest'
import { forceRowSecurity, setRealtime, setReplicaIdentity, setRowSecurity } from './table-marks.ts'

beforeAll(() => loadModule())

test('marks of a table are taken back by their opposite', () => {
  const table = { schema: 'public', name: 'Order' }
  expect(setRowSecurity(table, true)).toEqual({
    name: 'enable_row_level_security_order',
    statements: ['alter table public."Order" enable row level security'],
    inverse: ['alter table public."Order" disable row level security'],
  })
  expect(setRealtime(table, false, true)).toMatchObject({
    statements: ['alter publication supabase_realtime drop table public."Order"'],
    inverse: ['alter publication supabase_realtime add table public."Order"'],
  })
  expect(setRealtime(table, true, false).statements).toEqual([
    'create publication supabase_realtime for table public."Order"',
  ])
})

const name = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 15 })
  .filter((text) => !text.includes('\0'))

test('whatever a table is called, each of them is one statement', { timeout: 60_000 }, () => {
  const made = fc
    .tuple(name, name, fc.boolean(), fc.boolean())
    .map(([schema, table, on, exists]) => [
      setRowSecurity({ schema, name: table }, on),
      setRealtime({ schema, name: table }, on, exists),
      forceRowSecurity({ schema, name: table }, on),
      setReplicaIdentity({ schema, name: table }, on ? { index: table } : 'NOTHING'),
    ])
  fc.assert(
    fc.property(made, (changes) => {
      for (const { statements, inverse } of changes)
        for (const sql of [...statements, ...(inverse ?? [])])
          expect(parseSync(sql).stmts).toHaveLength(1)
    }),
    { numRuns: 1000 },
  )
})
