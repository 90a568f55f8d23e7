import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPolicy, hasCheck, hasDefinition, policyCommands } from '#contract/ddl/policies'
import type { RlsCommand, RlsResult } from '#contract/database/rls-test'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

/** The tester says what Postgres would do: checked against Postgres doing it. */
const ada = '11111111-1111-4111-8111-111111111111'
const odd = '"Odd ""t"""'
const me = { role: 'authenticated', claims: { sub: ada, level: 2 } }
let meta: Meta
let client: pg.Client
let id = 0
beforeAll(async () => {
  meta = await startMeta()
  await meta.sql(`
    create table members (team int, person uuid);
    insert into members values (1, '${ada}'), (3, '${ada}');
    alter table members enable row level security;
    create policy own on members using (person = (select auth.uid()));
    create table ${odd} (
      id int primary key, owner uuid default auth.uid(), "te am" int, twice int generated always as ("te am" * 2) stored,
      serial serial);
    insert into ${odd} (id, owner, "te am")
      select n, case n % 2 when 0 then '${ada}'::uuid end, n % 4 from generate_series(1, 8) n;
    alter table ${odd} enable row level security;
  `)
  const [row] = await meta.sql(`select '${odd}'::regclass::oid::int as id`)
  id = Number(row?.['id'])
  client = new pg.Client(meta.db.configFor('plinth_sql'))
  client.on('error', () => undefined)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await meta.close()
})

async function tested(input: object): Promise<RlsResult> {
  const { status, body } = await meta.call('POST', `entities/${id}/rls-test`, { as: me, ...input })
  expect(status, JSON.stringify(body)).toBe(200)
  return body as RlsResult
}
async function withPolicies(policies: string[]): Promise<void> {
  const old = await client.query<{ sql: string }>(
    `select format('drop policy %I on %s', polname, polrelid::regclass) as sql from pg_policy where polrelid = $1`,
    [id],
  )
  for (const statement of [...old.rows.map(({ sql }) => sql), ...policies])
    await client.query(statement)
}

const expressions = [
  'true',
  'false',
  'null',
  'owner = auth.uid()',
  'owner is null',
  '"te am" > 1',
  'twice > 2 and id < 7',
  '(auth.jwt() ->> \'level\')::int = "te am"',
  `exists (select 1 from members where members.team = "Odd ""t"""."te am")`,
  `"te am" in (select m.team from members m where m.person = auth.uid())`,
  `(select count(*) from members) = 2`,
  `("Odd ""t""").id % 2 = 0`,
]
const expression = fc.constantFrom(...expressions)
const policy = fc
  .record({
    action: fc.constantFrom('PERMISSIVE' as const, 'PERMISSIVE' as const, 'RESTRICTIVE' as const),
    command: fc.constantFrom(...policyCommands),
    roles: fc.constantFrom(['public'], ['authenticated'], ['anon'], ['anon', 'authenticated']),
    definition: fc.option(expression),
    check: fc.option(expression),
  })
  .map((given) => ({
    ...given,
    definition: hasDefinition(given.command) ? given.definition : null,
    check: hasCheck(given.command) ? given.check : null,
  }))
const values = fc.record({
  owner: fc.option(fc.constant(ada)),
  'te am': fc.constantFrom('0', '1', '2', '3'),
})

/** What Postgres does, one row after the other, each taken back. */
async function truth(command: RlsCommand, set: Record<string, string | null>): Promise<string[]> {
  await client.query('begin')
  try {
    const claims = JSON.stringify({ ...me.claims, role: me.role })
    const settings =
      "select set_config('request.jwt.claims', $1, true), set_config('role', $2, true)"
    await client.query(settings, [claims, me.role])
    const team = set['te am'] ?? null
    const owner = set['owner'] ?? null
    if (command === 'SELECT') {
      const { rows } = await client.query<{ id: number }>(`select id from ${odd}`)
      const seen = new Set(rows.map(({ id }) => id))
      return [1, 2, 3, 4, 5, 6, 7, 8].map((id) => (seen.has(id) ? 'allowed' : 'skipped'))
    }
    const attempt = async (sql: string, params: unknown[]) => {
      await client.query('savepoint one')
      try {
        const { rowCount } = await client.query(sql, params)
        return rowCount === 1 ? 'allowed' : 'skipped'
      } catch (error) {
        if (error instanceof pg.DatabaseError && error.code === '42501') return 'refused'
        throw error
      } finally {
        await client.query('rollback to savepoint one')
      }
    }
    if (command === 'INSERT')
      return [
        await attempt(`insert into ${odd} (id, owner, "te am", serial) values (99, $1, $2, 0)`, [
          owner,
          team,
        ]),
      ]
    const outcomes: string[] = []
    for (let id = 1; id <= 8; id += 1) {
      const update = `update ${odd} set owner = $2, "te am" = $3 where id = $1`
      const remove = `delete from ${odd} where id = $1`
      const params = command === 'UPDATE' ? [id, owner, team] : [id]
      outcomes.push(await attempt(command === 'UPDATE' ? update : remove, params))
    }
    return outcomes
  } finally {
    await client.query('rollback')
  }
}

test('what it says of any policies is what Postgres does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(policy, { maxLength: 5 }), values, async (policies, set) => {
      const statements = policies.flatMap(
        (one, at) =>
          createPolicy({ ...one, schema: 'public', table: 'Odd "t"', name: `p "${at}"` })
            .statements,
      )
      await withPolicies(statements)
      for (const command of ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const) {
        const given = command === 'INSERT' ? { id: '99', serial: '0', ...set } : set
        const input = command === 'INSERT' || command === 'UPDATE' ? { values: given } : {}
        const { rows, policies: shown } = await tested({ command, ...input })
        expect(shown.map(({ error }) => error)).toEqual(shown.map(() => null))
        expect([command, rows.map(({ outcome }) => outcome)]).toEqual([
          command,
          await truth(command, set),
        ])
      }
    }),
    { numRuns: 25 },
  )
  expect(await meta.sql(`select count(*)::int as n from ${odd}`)).toEqual([{ n: 8 }])
})
