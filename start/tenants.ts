import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { platformMigrations, type Migration } from '#control-plane/platform-database/store'
import { root } from '#kit/root'

const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The tables of the auth service, which every set of users has: those of a project and the platform's own. */
export const authSchema = () =>
  ['schema.sql', 'external/external-schema.sql', 'users/identity-schema.sql']
    .map((file) => read(`data-plane/auth/${file}`))
    .join('\n')

const authVersions = () => read('data-plane/auth/versions.sql')

/** What the platform database is made of, in order. */
export const platformSchema = (): Migration[] => [
  { name: 'auth/0001', sql: authSchema() + authVersions() },
  // The same files, grown since: they can run again.
  { name: 'auth/0002', sql: authSchema() },
  { name: 'auth/0003', sql: authSchema() },
  { name: 'auth/0004', sql: authSchema() },
  { name: 'auth/0005', sql: authSchema() },
  ...platformMigrations(),
]

/** The tables of the storage service, the lists of what is in them, and the trash. */
const storageSchema = () => [
  read('data-plane/schema/009-storage-1-tables.sql'),
  read('data-plane/schema/009-storage-2-listing.sql'),
  read('data-plane/schema/009-storage-3-trash.sql'),
]

/** Output plugins that slots of customers may have, beside those that come with the server. */
type Plugins = readonly string[]
const ownPlugins = ['pgoutput', 'test_decoding']
const replicationSql = (plugins: Plugins) =>
  read('data-plane/schema/013-replication.sql').replace(
    `'{${ownPlugins.join(',')}}'`,
    `'{${[...new Set([...ownPlugins, ...plugins])].join(',')}}'`,
  )

/** Behind whatever makes tables and functions of the services. */
const lastSql = () => [
  read('data-plane/schema-after/001-narrow-grants.sql'),
  read('data-plane/schema-after/002-kept-objects.sql'),
]

/** Everything that a new project's database is made of, in order. */
export function projectSql(plugins: Plugins = []): string[] {
  const folder = 'data-plane/schema'
  const files = readdirSync(join(root, folder)).filter((file) => file.endsWith('.sql'))
  return [
    ...files
      .filter((file) => !file.endsWith('-replication.sql'))
      .toSorted()
      .map((file) => read(join(folder, file))),
    replicationSql(plugins),
    authSchema(),
    authVersions(),
    read('data-plane/auth/admin/list-indexes.sql'),
    ...lastSql(),
    read('data-plane/schema-new/001-private-tables.sql'),
  ]
}

/** What a new project has beside it, whose owner wants its tables granted at once. */
export const grantedTablesSql = () => read('data-plane/schema-new/002-granted-tables.sql')

/**
 * What a project that an earlier version made is given before it starts: all of this can run again. It says what there is to
 * be and reads and writes no rows, for it runs as the superuser.
 */
export const upgradeSql = (plugins: Plugins = []): string[] => [
  read('data-plane/schema/007-data-api-settings.sql'),
  read('data-plane/schema/008-new-tables.sql'),
  ...storageSchema(),
  read('data-plane/schema/010-realtime.sql'),
  read('data-plane/schema/012-connections.sql'),
  replicationSql(plugins),
  authSchema(),
  ...lastSql(),
]

/** What webhooks need in a project's database, once they are enabled. */
export const webhookSchema = () => read('data-plane/webhooks/schema.sql')

/** What a database that was there before Plinth is given at every start (self-hosted mode). */
export function existingSql(plugins: Plugins = []) {
  const folder = 'data-plane/schema-existing'
  const files = readdirSync(join(root, folder)).filter((file) => file.endsWith('.sql'))
  const once = (missing: string, file: string) => ({
    missing,
    sql: read(`data-plane/schema/${file}`),
  })
  return {
    everySql: [
      ...files.toSorted().map((file) => read(join(folder, file))),
      read('data-plane/schema/004-extensions.sql'),
      read('data-plane/schema/008-new-tables.sql'),
      ...storageSchema(),
      read('data-plane/schema/010-realtime.sql'),
      replicationSql(plugins),
      authSchema(),
    ],
    onceSql: [
      once("select to_regprocedure('auth.jwt()') is null as missing", '003-claims.sql'),
      once(
        "select not exists (select from pg_event_trigger where evtname = 'plinth_schema_change') as missing",
        '005-schema-reload.sql',
      ),
      once(
        "select not exists (select from pg_publication where pubname = 'supabase_realtime') as missing",
        '006-realtime.sql',
      ),
    ],
  }
}
