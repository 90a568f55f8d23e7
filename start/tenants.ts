import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { platformMigrations } from '#control-plane/platform-database/store'
import { migrationsIn, type Migration } from '#kit/postgres/migrations'
import { root } from '#kit/root'

const read = (path: string) => readFileSync(join(root, path), 'utf8')

/**
 * The tables of the auth service, which every set of users has: those of a project and the platform's own. The platform has
 * recorded them by other names: each time that the files had grown, under one more.
 */
export const authMigrations = (): Migration[] =>
  migrationsIn(join(root, 'data-plane/auth/migrations'), 'auth/').map((migration) => {
    if (/^auth\/00[123]-/.test(migration.name)) return { ...migration, formerly: 'auth/0005' }
    // Rows for whoever asks which version this is.
    if (migration.name.startsWith('auth/004-'))
      return { ...migration, isOriginal: true, formerly: 'auth/0001' }
    return migration
  })

/** What the platform database is made of, in order. */
export const platformSchema = (): Migration[] => [...authMigrations(), ...platformMigrations()]

/** Output plugins that slots of customers may have, beside those that come with the server. */
type Plugins = readonly string[]
const ownPlugins = ['pgoutput', 'test_decoding']
const withPlugins = (sql: string, plugins: Plugins) =>
  sql.replace(
    `'{${ownPlugins.join(',')}}'`,
    `'{${[...new Set([...ownPlugins, ...plugins])].join(',')}}'`,
  )

/** Numbers of what every project has had since it was made. */
const originals = new Set(['001', '002', '003', '004', '005', '006', '011'])
/** Goes through whatever has made tables and functions of the services so far. */
const behindAuth = '014'

/**
 * Everything that the database of a project is made of, in order. All of it but the originals can run again: it says what there is
 * to be, and reads and writes no rows, for it runs as the superuser in databases of customers.
 */
export function projectMigrations(plugins: Plugins = []): Migration[] {
  const files = migrationsIn(join(root, 'data-plane/schema')).map((migration): Migration => {
    const number = migration.name.slice(0, 3)
    if (originals.has(number)) return { ...migration, isOriginal: true }
    const filled = withPlugins(migration.sql, number === '013' ? plugins : [])
    return filled === migration.sql ? migration : { ...migration, filled }
  })
  return [
    ...files.filter(({ name }) => name < behindAuth),
    ...authMigrations(),
    ...files.filter(({ name }) => name > behindAuth),
  ]
}

/**
 * What the last version had given to a project that kept no records of it, and its name for all of that: a digest of what it
 * could run again.
 */
export function beforeRecords(plugins: Plugins = []) {
  const had = projectMigrations(plugins).filter(({ name }) =>
    /^(auth\/00[1-4]|0(0\d|1[0-5]))-/.test(name),
  )
  const whole = had.filter(({ isOriginal }) => !isOriginal).map(({ sql, filled }) => filled ?? sql)
  const key = createHash('sha256').update(whole.join('\n')).digest('hex').slice(0, 16)
  return { key, names: new Set(had.map(({ name }) => name)) }
}

/**
 * What a new project has from the start beside these: indexes that the auth service gives others while they run
 * (data-plane/auth/admin/list-indexes.ts), and what it chooses.
 */
export const newProjectSql = (): string[] => [
  read('data-plane/auth/admin/list-indexes.sql'),
  read('data-plane/schema-new/001-private-tables.sql'),
]

/** What a new project has beside it, whose owner wants its tables granted at once. */
export const grantedTablesSql = () => read('data-plane/schema-new/002-granted-tables.sql')

/** What webhooks need in a project's database, once they are enabled. */
export const webhookSchema = () => read('data-plane/webhooks/schema.sql')

/** Of what a project is made of, this is added to a database that was there before. */
const ofExisting = ({ name, isOriginal }: Migration) =>
  /^(004|008|009|010|013)-/.test(name) || (name.startsWith('auth/') && isOriginal !== true)

/**
 * What a database that was there before Plinth is given at every start (self-hosted mode). It keeps no records: it is not
 * ours, and what its operator changes meanwhile, such as new tables of `public`, is to be seen to again.
 */
export function existingSql(plugins: Plugins = []) {
  const folder = 'data-plane/schema-existing'
  const last = '003-read-only.sql'
  const files = readdirSync(join(root, folder)).filter(
    (file) => file.endsWith('.sql') && file !== last,
  )
  const once = (missing: string, file: string) => ({
    missing,
    sql: read(`data-plane/schema/${file}`),
  })
  return {
    everySql: [
      ...files.toSorted().map((file) => read(join(folder, file))),
      ...projectMigrations(plugins)
        .filter(ofExisting)
        .map(({ sql, filled }) => filled ?? sql),
      read(join(folder, last)),
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
      once(
        "select to_regprocedure('graphql_public.graphql(text, text, jsonb, jsonb)') is null as missing",
        '020-graphql-function.sql',
      ),
    ],
  }
}

/**
 * What the database of a new project in a Kubernetes cluster is given: the same, its customer, and of what a project on a machine has
 * the places of the platform's logins and what keeps its objects from being dropped.
 */
export const kubernetesSql = (plugins: Plugins = []) => ({
  ...existingSql(plugins),
  customerSql: [
    read('data-plane/schema-kubernetes/001-customer.sql'),
    // The list of what its owner may say of the data API stands there alone.
    read('data-plane/schema/007-data-api-settings.sql').replace(
      /\bto postgres;/,
      'to plinth_customer;',
    ),
    read('data-plane/schema/012-connections.sql'),
    read('data-plane/schema/015-kept-objects.sql'),
  ].join('\n'),
  grantedTablesSql: read('data-plane/schema-kubernetes/002-granted-tables.sql'),
})
