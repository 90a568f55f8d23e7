import type { Client } from '#kit/postgres/client'

/** What has rows, by its oid and by its quoted name with its schema. `file`: the one it is in now; null: its partitions have them. */
export type Relation = { oid: string; name: string; schema: string; file: string | null }

const relation = `c.oid::text as oid, pg_catalog.format('%I.%I', n.nspname, c.relname) as name,
  pg_catalog.quote_ident(n.nspname) as schema, pg_catalog.pg_relation_filenode(c.oid)::text as file
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace`

/** Tables by name, and all that have their rows: partitions, and those that inherit from them. */
export async function tablesWithin(
  client: Client,
  tables: readonly { schema: string; table: string }[],
): Promise<Relation[]> {
  const sql = `with recursive below as (
      select c.oid from pg_catalog.jsonb_array_elements($1::pg_catalog.jsonb) w
      join pg_catalog.pg_namespace n on n.nspname = w ->> 'schema'
      join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = w ->> 'table'
      union select i.inhrelid from below b join pg_catalog.pg_inherits i on i.inhparent = b.oid
    ) select ${relation} join below b on b.oid = c.oid where c.relkind in ('r', 'p') order by name`
  return (await client.query<Relation>(sql, [JSON.stringify(tables)])).rows
}

/** What people have made of the rows of others, and is computed anew when they refresh it. */
export async function filledViews(client: Client): Promise<Relation[]> {
  const sql = `select ${relation} where c.relkind = 'm' and c.relispopulated order by name`
  return (await client.query<Relation>(sql)).rows
}

/**
 * Where rows of other tables are repeated: calls of webhooks, messages of realtime, results of jobs. And, where `all` rows are to
 * go, every table but those that say what a project is made of: its migrations, its buckets, its jobs, what extensions come with.
 */
export async function tablesToEmpty(client: Client, all: boolean): Promise<Relation[]> {
  const sql = `select ${relation}
    where c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence <> 't' and (
      n.nspname || '.' || c.relname = any (array['supabase_functions.deliveries', 'supabase_functions.delivery_attempts',
        'supabase_functions.hooks', 'net.http_request_queue', 'net._http_response', 'realtime.messages',
        'realtime.subscription', 'cron.job_run_details', 'storage.trash'])
      or $1 and (n.nspname || '.' || c.relname in ('vault.secrets', 'storage.objects',
          'storage.s3_multipart_uploads', 'storage.s3_multipart_uploads_parts')
        or n.nspname = 'pgmq' and c.relname ~ '^[qa]_'
        or n.nspname = 'auth' and c.relname <> 'schema_migrations'
        or n.nspname !~ '^pg_' and n.nspname <> all (array['auth', 'cron', 'extensions', 'graphql', 'graphql_public',
          'information_schema', 'net', 'pgmq', 'realtime', 'storage', 'supabase_functions', 'supabase_migrations', 'vault'])
          and not exists (select from pg_catalog.pg_depend d where d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
            and d.objid = c.oid and d.deptype = 'e')))
    order by name`
  return (await client.query<Relation>(sql, [all])).rows
}

/** Of sequences of these schemas, which begin anew with their tables. */
export async function sequencesIn(client: Client, schemas: readonly string[]): Promise<Relation[]> {
  const sql = `select ${relation} where c.relkind = 'S' and pg_catalog.quote_ident(n.nspname) = any ($1::text[])
    and not exists (select from pg_catalog.pg_depend d where d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
      and d.objid = c.oid and d.deptype = 'e') order by name`
  return (await client.query<Relation>(sql, [schemas])).rows
}

/** Databases beside the project's own. */
export async function otherDatabases(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select datname::text as name from pg_catalog.pg_database
     where datallowconn and not datistemplate and datname <> 'postgres' order by 1`,
  )
  return rows.map(({ name }) => name)
}

/** The file that each has now; without those that are gone. */
export async function filesOf(
  client: Client,
  oids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await client.query<{ oid: string; file: string }>(
    `select c.oid::text as oid, pg_catalog.pg_relation_filenode(c.oid)::text as file from pg_catalog.pg_class c
     where c.oid = any ($1::oid[]) and c.relkind <> 'p'`,
    [oids],
  )
  return new Map(rows.map(({ oid, file }) => [oid, file]))
}

/** Values that the planner has noted of these, their partitions, what they are partitions of, and their indexes: the owner can read them. */
export async function forgetStatistics(client: Client, oids: readonly string[]): Promise<void> {
  const sql = `with recursive above as (
      select pg_catalog.unnest($1::oid[]) as oid
      union select i.inhparent from above a join pg_catalog.pg_inherits i on i.inhrelid = a.oid
    ), related as (
      select oid from above
      union select i.inhrelid from related r join pg_catalog.pg_inherits i on i.inhparent = r.oid
    ), named as (
      select oid from related
      union select i.indexrelid from pg_catalog.pg_index i join related r on r.oid = i.indrelid
    ), of_columns as (
      delete from pg_catalog.pg_statistic s using named where s.starelid = named.oid
    )
    delete from pg_catalog.pg_statistic_ext_data d using pg_catalog.pg_statistic_ext e, named
    where d.stxoid = e.oid and e.stxrelid = named.oid`
  await client.query(sql, [oids])
}

/** Large objects are rows of the catalogue. */
export async function forgetLargeObjects(client: Client): Promise<void> {
  await client.query(
    'select pg_catalog.lo_unlink(m.oid) from pg_catalog.pg_largeobject_metadata m order by m.oid',
  )
}

/** Writes these anew, so that nothing of what was there before is left in their files; and begins another file of the log. */
export async function rewriteCatalogue(client: Client): Promise<void> {
  for (const table of ['pg_statistic', 'pg_statistic_ext_data', 'pg_largeobject'])
    await client.query(['vacuum (full) pg_catalog', table].join('.'))
  await client.query('select pg_catalog.pg_switch_wal()')
  await client.query('checkpoint')
}
