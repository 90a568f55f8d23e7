import fc from 'fast-check'
import { parse } from 'libpg-query'
import { expect, test } from 'vitest'
import {
  changePolicy,
  createPolicy,
  dropPolicy,
  policyCommands,
  secureTable,
  type PolicySpec,
} from './policies.ts'

const base: PolicySpec = {
  schema: 'public',
  table: 'notes',
  name: 'Own notes',
  action: 'PERMISSIVE',
  command: 'SELECT',
  roles: ['authenticated'],
  definition: 'owner = auth.uid()',
  check: null,
}

test('a policy reads as people write one', () => {
  expect(createPolicy({ ...base, action: 'RESTRICTIVE', command: 'ALL', check: 'true' })).toEqual({
    name: 'create_policy_own_notes_on_notes',
    statements: [
      `create policy "Own notes" on public.notes
as restrictive
for all
to authenticated
using (owner = auth.uid())
with check (true)`,
    ],
    inverse: ['drop policy "Own notes" on public.notes'],
  })
  expect(createPolicy({ ...base, roles: [] }).statements[0]).toContain('\nto public\n')
  expect(dropPolicy(base).inverse?.[0]).toMatch(/^create policy/)
})

test('what can be altered is altered, everything else is made anew', () => {
  expect(changePolicy(base, { ...base })).toBeUndefined()
  expect(changePolicy(base, { ...base, roles: [...base.roles] })).toBeUndefined()
  const renamed = { ...base, name: 'b', definition: 'true -- all', roles: ['anon', 'public'] }
  expect(changePolicy(base, renamed)).toMatchObject({
    statements: [
      'alter policy "Own notes" on public.notes rename to b',
      'alter policy b on public.notes\nto anon, public\nusing (\ntrue -- all\n)',
    ],
    inverse: [
      'alter policy b on public.notes rename to "Own notes"',
      'alter policy "Own notes" on public.notes\nto authenticated\nusing (owner = auth.uid())',
    ],
  })
  for (const after of [
    { ...base, command: 'ALL' as const },
    { ...base, action: 'RESTRICTIVE' as const },
    { ...base, definition: null },
  ]) {
    const change = changePolicy(base, after)
    expect(change?.statements.map((sql) => sql.slice(0, 11))).toEqual([
      'drop policy',
      'create poli',
    ])
    expect(change?.inverse?.at(-1)).toContain('using (owner = auth.uid())')
  }
  // A check is added in place and taken back by making the policy anew.
  const all = { ...base, command: 'ALL' as const }
  const added = changePolicy(all, { ...all, check: 'true' })
  expect([added?.statements.length, added?.inverse?.length]).toEqual([1, 2])
})

test('row level security goes on and off', () => {
  expect(secureTable({ schema: 'public', table: 'Order' }, true)).toEqual({
    name: 'enable_rls_on_order',
    statements: ['alter table public."Order" enable row level security'],
    inverse: ['alter table public."Order" disable row level security'],
  })
})

const name = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 15 })
  .filter((value) => !value.includes('\0') && !/\p{Surrogate}/u.test(value))
/** Postgres keeps these words for itself, so no role has them as its name. */
const role = name.filter((value) => !['none', 'public'].includes(value))
const expression = fc.constantFrom(
  'true',
  'a = 1 -- why',
  `"it's" = '(' or true`,
  `exists (select 1 from t where x = $q$)$q$)`,
)
const spec: fc.Arbitrary<PolicySpec> = fc.record({
  schema: name,
  table: name,
  name,
  action: fc.constantFrom('PERMISSIVE' as const, 'RESTRICTIVE' as const),
  command: fc.constantFrom(...policyCommands),
  roles: fc.array(role, { minLength: 1, maxLength: 3 }),
  definition: fc.option(expression),
  check: fc.option(expression),
})

test('whatever they are called, every statement is one statement that says what was meant', async () => {
  await fc.assert(
    fc.asyncProperty(spec, spec, async (before, other) => {
      const after = { ...other, schema: before.schema, table: before.table }
      const change = changePolicy(before, after)
      const all = [
        ...createPolicy(before).statements,
        ...dropPolicy(before).statements,
        ...(change?.statements ?? []),
        ...(change?.inverse ?? []),
        ...secureTable(before, false).statements,
      ]
      for (const sql of all) expect((await parse(sql)).stmts, sql).toHaveLength(1)
      const node = (await parse(createPolicy(before).statements[0] ?? '')).stmts?.[0]?.stmt
      if (!node || !('CreatePolicyStmt' in node)) throw new Error('No policy was read')
      const { policy_name, cmd_name, permissive = false, roles = [], table } = node.CreatePolicyStmt
      expect({ policy_name, cmd_name, permissive }).toEqual({
        policy_name: before.name,
        cmd_name: before.command.toLowerCase(),
        permissive: before.action === 'PERMISSIVE',
      })
      expect(table).toMatchObject({ schemaname: before.schema, relname: before.table })
      expect(roles).toMatchObject(
        before.roles.map((rolename) => ({ RoleSpec: { rolename, roletype: 'ROLESPEC_CSTRING' } })),
      )
    }),
    { numRuns: 1000 },
  )
}, 60_000)
