/**
 * Something that is made at the target by its own statements. They come from the catalog of the source, where Postgres
 * itself has written every name and expression with its quotes, and each is sent as one statement that cannot hold a second one.
 */
export type Piece = { kind: string; name: string; sql: string[] }

/** A query of the source's catalog that answers with pieces; `$1` is the list of schemas, `$2` the roles of the target. */
export type Reading = { text: string; takes: 'schemas' | 'schemas and roles' }

export const ofSchemas = (text: string): Reading => ({ text, takes: 'schemas' })
export const ofSchemasAndRoles = (text: string): Reading => ({ text, takes: 'schemas and roles' })

/** Schemas of the platform, of Postgres, and of extensions: what is in them comes with them. */
export const serviceSchemas: readonly string[] = [
  '_analytics',
  '_realtime',
  '_supabase',
  '_supavisor',
  'auth',
  'cron',
  'extensions',
  'graphql',
  'graphql_public',
  'information_schema',
  'net',
  'pgbouncer',
  'pgmq',
  'pgmq_public',
  'pgsodium',
  'pgsodium_masks',
  'pgtle',
  'plinth_import',
  'realtime',
  'repack',
  'storage',
  'supabase_functions',
  'supabase_migrations',
  'tiger',
  'tiger_data',
  'topology',
  'vault',
]

/** Schemas in which customers hang policies and triggers on tables that are not theirs. */
export const hungOn = `array['auth', 'storage', 'realtime']`

/** What an extension has made comes with the extension. */
export const notOfExtension = (catalog: string, id: string) =>
  `not exists (select from pg_depend x where x.classid = 'pg_catalog.${catalog}'::regclass
     and x.objid = ${id} and x.refclassid = 'pg_catalog.pg_extension'::regclass and x.deptype = 'e')`

/** What was made together with something else, such as the constructors of a range type, comes with that. */
export const byItself = (catalog: string, id: string) =>
  `not exists (select from pg_depend i where i.classid = 'pg_catalog.${catalog}'::regclass and i.objid = ${id} and i.deptype = 'i')`

/** A table or another relation with the name of its schema. */
export const relation = 'pg_class c join pg_namespace n on n.oid = c.relnamespace'
