import { afterAll, beforeAll, expect, test } from 'vitest'
import { quoteIdent, quoteLiteral } from '#contract/ddl/sql-text'
import { Client } from '#kit/postgres/client'
import { createPlatformDatabase, type TestDatabase } from '#kit/testing/postgres'

/** What names a project that is gone and stays all the same, and why. */
const stays: Record<string, string> = {
  'add_on_usage.project_ref': 'what was used is to be paid',
  'alerts.subject': 'what operators were told',
  'audit_entries.target': 'the history of an organization cannot be changed',
  'compute_usage.project_ref': 'what was used is to be paid',
  'invoice_lines.project_ref': 'an invoice says what it is for',
  'jobs.subject': 'operators see what was done',
  'notifications.project_ref': 'what people were told',
  'orphans.ref': 'what is found in the world, whose rows go with it',
  'project_role_projects.project_id': 'a member keeps the role, which is for further projects',
  'restores.project_id': 'a project lists what was made of it',
  'restores.source_id': 'a project says where it comes from',
  'support_tickets.project_ref': 'a request for help is the history of a person',
  'support_tickets.subject': 'the words of a person',
  'telemetry_events.project': 'pruned by age',
  'usage_days.project_ref': 'what was used is to be paid',
  'usage_hours.project_ref': 'what was used is to be paid',
  'usage_minutes.project_ref': 'what was used is to be paid',
  'usage_sightings.project_ref': 'what was used is to be paid',
}

type Column = { table: string; column: string; type: string; names: boolean; needed: boolean }
/** All columns of all tables. `names`: a project stands there, by its id or its ref. */
const columnsSql = `select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type,
    a.attname = 'ref' or a.attname ~ '(project|tenant|subject|target)(?!_name)' and a.atttypid in ('text'::regtype, 'bigint'::regtype)
      or exists (select from pg_constraint f where f.contype = 'f' and f.conrelid = c.oid
        and f.confrelid = 'platform.projects'::regclass and f.conkey = array[a.attnum]) as names,
    a.attnotnull and not a.atthasdef and a.attidentity = '' and a.attgenerated = '' as needed
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relnamespace = 'platform'::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'projects'
    and a.attnum > 0 and not a.attisdropped
  order by 1, a.attnum`

const ref = 'g'.repeat(20)
let database: TestDatabase
let client: Client
let columns: Column[]
let id: string
beforeAll(async () => {
  database = await createPlatformDatabase()
  client = new Client(database.adminConfig)
  await client.connect()
  columns = (await client.query<Column>(columnsSql)).rows
  await client.query(
    `insert into platform.organizations (slug, name, kind, tier) values ('acme', 'Acme', 'personal', 'tier_free')`,
  )
  const { rows } = await client.query<{ id: string }>(
    `insert into platform.projects (ref, organization_id, name, status, region, cloud_provider, compute_size, db_version, sealed_secrets)
     select '${ref}', id, 'Gone', 'INACTIVE', 'local', 'AWS', 'micro', '17.10', '' from platform.organizations where slug = 'acme'
     returning id`,
  )
  id = rows[0]?.id ?? ''
  expect(id).not.toBe('')
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

const tables = () => [...new Set(columns.map(({ table }) => table))]
const naming = () => columns.filter(({ names }) => names)
/** Something of the type; it need not make sense. */
function anyOf(type: string): string {
  if (type.endsWith('[]')) return `'{}'`
  if (/int|real|double|numeric/.test(type)) return '1'
  if (/time|date/.test(type)) return 'now()'
  const known: Record<string, string> = {
    boolean: 'true',
    uuid: 'gen_random_uuid()',
    jsonb: `'{}'`,
  }
  return known[type] ?? `'x'`
}
const valueOf = ({ type, names }: Column) =>
  names ? (type === 'bigint' ? id : quoteLiteral(ref)) : anyOf(type)

/** A row that names the project wherever it can, in each table that does. */
async function fill(): Promise<void> {
  // What a row has to look like is not the question here, only whom it names.
  await client.query(`do $$ declare one record; begin
    for one in select conname, conrelid::regclass as of from pg_constraint
      where contype = 'c' and connamespace = 'platform'::regnamespace
    loop execute format('alter table %s drop constraint %I', one.of, one.conname); end loop;
  end $$`)
  await client.query('set session_replication_role = replica')
  for (const table of tables()) {
    const own = columns.filter((column) => column.table === table)
    if (!own.some(({ names }) => names)) continue
    const given = own.filter(({ names, needed }) => names || needed)
    // A project has some of these from its beginning.
    await client.query(
      `insert into platform.${quoteIdent(table)} (${given.map(({ column }) => quoteIdent(column)).join()})
       values (${given.map(valueOf).join()}) on conflict do nothing`,
    )
  }
  await client.query('reset session_replication_role')
}
const left = async (): Promise<string[]> => {
  const found: string[] = []
  for (const column of naming()) {
    const { rowCount } = await client.query(
      `select from platform.${quoteIdent(column.table)} where ${quoteIdent(column.column)} = ${valueOf(column)}`,
    )
    if ((rowCount ?? 0) > 0) found.push(`${column.table}.${column.column}`)
  }
  return found.toSorted()
}

/** What goes with the deletion, though the project can still be restored. */
const goesAtOnce = ['read_replicas.project_id']
const update = (set: string) =>
  client.query(`update platform.projects set ${set} where ref = '${ref}'`)

test('of a project that waits in the trash all is kept, and of one that is removed for good nothing but what is known to stay', async () => {
  await fill()
  const all = naming().map(({ table, column }) => `${table}.${column}`)
  expect(await left()).toEqual(all.toSorted())
  await update(`status = 'GOING_DOWN', deleted_at = now(), removed_for_good_at = now()`)
  await update(`status = 'REMOVED'`)
  expect(await left()).toEqual(all.filter((name) => !goesAtOnce.includes(name)).toSorted())
  await update('deleted_at = null, removed_for_good_at = null')
  expect(await left()).toEqual(Object.keys(stays).toSorted())
})

test('of a project that is removed without the trash nothing more is left', async () => {
  await update(`status = 'INACTIVE'`)
  await fill()
  await update(`status = 'REMOVED'`)
  expect(await left()).toEqual(Object.keys(stays).toSorted())
})
