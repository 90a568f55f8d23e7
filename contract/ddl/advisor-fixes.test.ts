import fc from 'fast-check'
import { parse } from 'libpg-query'
import { expect, test } from 'vitest'
import { lintNames } from '#contract/observability/lints'
import { askedOnce, draftOf, fixOf } from './advisor-fixes.ts'
import { hostileName } from '../testing/tables.ts'

const metadata = fc.record({
  schema: hostileName,
  name: hostileName,
  index: hostileName,
  column: hostileName,
  policy: hostileName,
  fkey_name: hostileName,
  columns: fc.array(hostileName, { minLength: 1, maxLength: 3 }),
  indexes: fc.uniqueArray(hostileName, { minLength: 2, maxLength: 4 }),
  needed: fc.constant([]),
  definition: fc.constant('create index a on b (c)'),
  definitions: fc.constant(['create index a on b (c)']),
  arguments: fc.constantFrom('', 'integer', '"a b" text, VARIADIC c integer[]'),
  type: fc.constantFrom('function', 'procedure', 'table'),
  relocatable: fc.constant(true),
  oid: fc.nat(),
  using: fc.constant('(auth.uid() = owner)'),
  check: fc.constantFrom(null, "(current_setting('a''(b'::text, true) = 'x'::text)"),
})

test('every repair of every finding is SQL that Postgres can read, whatever things are called', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...lintNames), metadata, async (name, facts) => {
      const change = fixOf({ name, metadata: facts })
      const draft = draftOf({ name, metadata: facts })
      expect(change === undefined || draft === undefined).toBe(true)
      for (const statement of [...(change?.statements ?? []), ...(change?.inverse ?? [])])
        expect((await parse(statement)).stmts).toHaveLength(1)
      if (draft) expect((await parse(draft)).stmts).toHaveLength(1)
      if (change?.transaction === false) expect(change.statements).toHaveLength(1)
    }),
    { numRuns: 1000 },
  )
})

test('what says nothing leads to nothing that could do harm', () => {
  for (const name of lintNames)
    for (const statement of fixOf({ name, metadata: {} })?.statements ?? [])
      expect(statement).not.toMatch(/\b(drop table|delete|truncate)\b/i)
})

test('who is calling is asked once; where it already is, nothing changes', () => {
  expect(askedOnce('(auth.uid() = owner)')).toBe('((select auth.uid()) = owner)')
  expect(askedOnce("(current_setting('a.b'::text, true) = x)")).toBe(
    "((select current_setting('a.b'::text, true)) = x)",
  )
  for (const done of [
    '(( SELECT auth.uid() AS uid) = owner)',
    "(( SELECT (auth.jwt() ->> 'role'::text)) = 'a'::text)",
    '(my_auth.uid = owner)',
  ])
    expect(askedOnce(done)).toBe(done)
})

test('of equal indexes the one that a constraint needs stays', () => {
  const facts = { schema: 'public', name: 't', indexes: ['a', 't_pkey', 'b'], needed: ['t_pkey'] }
  expect(fixOf({ name: 'duplicate_index', metadata: facts })?.statements).toEqual([
    'drop index public.a',
    'drop index public.b',
  ])
})
