import type { Session } from './connections.ts'

export type Migration = { version: string; name: string | null; statements: string[] | null }

/** What migration tools have noted; other tools keep more, and older ones less. */
export async function readMigrations(source: Session): Promise<Migration[]> {
  const there = await source.query<{ yes: boolean | null }>(
    `select has_table_privilege(to_regclass('supabase_migrations.schema_migrations'), 'select') as yes`,
  )
  if (there.rows[0]?.yes !== true) return []
  const { rows } = await source.query<Migration>(
    `select m.version, j ->> 'name' as name,
       case when jsonb_typeof(j -> 'statements') = 'array'
         then array(select jsonb_array_elements_text(j -> 'statements')) end as statements
     from supabase_migrations.schema_migrations m cross join to_jsonb(m) as j order by m.version`,
  )
  return rows
}

const make = [
  'create schema if not exists supabase_migrations',
  'create table if not exists supabase_migrations.schema_migrations (version text primary key)',
  'alter table supabase_migrations.schema_migrations add column if not exists statements text[], add column if not exists name text',
]

/** Those that are new here are noted as carried out: the structure that they made has come already. */
export async function noteMigrations(
  target: Session,
  migrations: readonly Migration[],
): Promise<number> {
  for (const statement of make) await target.query(statement)
  const { rowCount } = await target.query(
    `insert into supabase_migrations.schema_migrations (version, name, statements)
     select version, name, statements from jsonb_to_recordset($1::jsonb) as m (version text, name text, statements text[])
     on conflict (version) do nothing`,
    [JSON.stringify(migrations)],
  )
  return rowCount ?? 0
}
