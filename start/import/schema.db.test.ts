import { afterAll, beforeAll, expect, test } from 'vitest'
import { quoteIdent } from '#contract/ddl/sql-text'
import { importAuth } from './auth.ts'
import { importData } from './data.ts'
import { readTables, tableSql } from './data-store.ts'
import { linesOf } from './report.ts'
import type { Run } from './parts.ts'
import { finishAfter, importAfter, importBefore } from './schema.ts'
import { sampleRows, sampleSchema } from '../testing/import/sample.ts'
import { startTwoDatabases, type TwoDatabases } from '../testing/import/two-databases.ts'

let world: TwoDatabases

const user = '0b0b0b0b-0000-4000-8000-00000000000'
const people = [
  `insert into auth.users (id, email, encrypted_password, raw_user_meta_data) values ('${user}1', 'ada@example.com', 'x', '{"name": "Ada"}')`,
  `insert into public.authors (name, mail, owner) values ('Hers', 'a@b', '${user}1')`,
  'refresh materialized view app.author_counts',
  'refresh materialized view app.counted_twice',
]

beforeAll(async () => {
  world = await startTwoDatabases([...sampleSchema, ...sampleRows, ...people])
})
afterAll(() => world.end())

async function importAll(run: Run) {
  await importBefore(run)
  await importAuth(run)
  await importData(run)
  await finishAfter(run, await importAfter(run))
}

/** What one run has imported, by kind. */
const imported = ({ counts }: { counts: { kind: string; imported: number }[] }) =>
  Object.fromEntries(counts.map(({ kind, imported: count }) => [kind, count]))

async function contents(side: 'source' | 'target') {
  const tables = await world.run(({ source, asked }) => readTables(source, asked.schemas))
  const found: Record<string, unknown> = {}
  for (const table of tables.result) {
    const columns = table.columns.map(quoteIdent).join(', ')
    const text = `select row(${columns})::text as row from only ${tableSql(table)} order by 1`
    found[tableSql(table)] = await world.rows(side, text)
  }
  return found
}

test('a run that is broken off goes on, and the next one finds nothing to do', async () => {
  // As if the program were killed: in the middle of the structure, and after two parts of the rows.
  let notes = 0
  const killed = (max: number) =>
    world.run((run) => {
      const note: Run['state']['note'] = (...what) => {
        if (++notes > max) throw new TypeError('killed')
        return run.state.note(...what)
      }
      return importAll({ ...run, state: { ...run.state, note } })
    })
  await expect(killed(30)).rejects.toThrow('killed')
  notes = 0
  const structureLeft = (await world.structure('source')).length
  expect((await world.structure('target')).length).toBeLessThan(structureLeft)
  const whenRowsCome = async (kind: string) =>
    world.run((run) => {
      const note: Run['state']['note'] = async (...what) => {
        await run.state.note(...what)
        if (what[0] === kind && what[1].includes('books') && ++notes === 2)
          throw new TypeError('killed')
      }
      return importAll({ ...run, state: { ...run.state, note } })
    })
  await expect(whenRowsCome('rows')).rejects.toThrow('killed')
  // The part in whose transaction it was killed is not there.
  expect(await world.rows('target', 'select count(*)::int from public.books')).toEqual([
    { count: 7 },
  ])

  const report = await world.run(importAll)
  expect(report.left_out).toEqual([
    {
      part: 'auth',
      kind: 'password',
      name: 'of 1 users',
      reason: expect.stringContaining('not bcrypt'),
    },
  ])
  expect(imported(report)).toMatchObject({ row: expect.any(Number), key: 8, trigger: 3 })
  expect(report.counts.find(({ kind }) => kind === 'table')).toMatchObject({ imported: 0 })
  expect(await world.structure('target')).toEqual(await world.structure('source'))
  const [there, here] = [await contents('source'), await contents('target')]
  expect(here).toEqual(there)

  const again = await world.run(importAll)
  expect(again.left_out).toEqual(report.left_out)
  expect(Object.values(imported(again)).filter((count) => count > 0)).toEqual([])
  expect(await contents('target')).toEqual(there)
  expect(linesOf(again, false).at(-1)).toBe('imported, but for what is listed above')
})

const settings = `
  select (select array_agg(format('%s %s %s', a.attname, a.attstorage, a.attstattarget) order by a.attnum) from pg_attribute a
      where a.attrelid = 'public.authors'::regclass and a.attnum > 0) as columns,
    (select relreplident from pg_class where oid = 'public.authors'::regclass) as identity,
    (select array_agg(format('%s %s', relpersistence, relname) order by relname) from pg_class where relnamespace = 'app'::regnamespace) as kept,
    (select array_agg(o.identity || d.description order by o.identity) from pg_description d
      cross join lateral pg_identify_object(d.classoid, d.objoid, d.objsubid) o
      where o.schema in ('public', 'app') or o.identity like '%authors%' or o.identity = 'app') as comments,
    (select array_agg(format('%s %s', tgname, tgenabled) order by tgname) from pg_trigger where not tgisinternal
      and tgrelid in ('public.authors'::regclass, 'auth.users'::regclass)) as triggers,
    (select array_agg(rulename order by rulename) from pg_rules where schemaname = 'app') as rules,
    (select array_agg(pubname || coalesce(rowfilter, '') || attnames::text order by pubname, tablename) from pg_publication_tables) as published,
    (select array_agg(s::text order by s::text) from pg_sequences s where schemaname in ('app', 'public')) as sequences,
    (select array_agg(stxname || stxkind::text) from pg_statistic_ext) as statistics,
    (select array_agg(defaclacl::text) from pg_default_acl where defaclnamespace = 'app'::regnamespace) as defaults,
    (select n from app.counted_twice) as counted, app.count_authors() as authors
`

test('what the structure does not show is the same as well', async () => {
  const [[there], [here]] = [
    await world.rows('source', settings),
    await world.rows('target', settings),
  ]
  expect(here).toEqual(there)
  expect(here).toMatchObject({ identity: 'f', counted: '10', authors: '5' })
})

test('it works: identities count on, triggers fire, policies hold', async () => {
  const [made] = await world.rows<{ id: string; name: string }>(
    'target',
    `insert into public.authors (name, mail) values ('  trimmed ', 'a@b') returning id, name`,
  )
  expect(made).toEqual({ id: '110', name: 'trimmed' })
  await world.rows(
    'target',
    `insert into auth.users (id, email) values ('${user}2', 'eve@example.com')`,
  )
  expect(
    await world.rows('target', `select name from public.authors where owner = '${user}2'`),
  ).toEqual([{ name: 'new' }])
})
