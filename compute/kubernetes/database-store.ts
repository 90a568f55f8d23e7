import type { ClientConfig } from 'pg'
import { quoteIdent } from '#contract/ddl/sql-text'
import { withClient, type Client } from '#kit/postgres/client'
import { setPasswords } from '#kit/postgres/passwords'
import type { OnceSql } from '../existing/existing.ts'
import { serviceRoles, type DatabaseAddress, type ProjectSpec } from '../provider.ts'
import { customerRole, databaseName, superuser } from './objects.ts'

/** What the database of a new project is given: as one that was there before has it, and its customer. */
export type ProjectSql = {
  everySql: readonly string[]
  onceSql: readonly OnceSql[]
  /** Makes the customer and gives them the database. */
  customerSql: string
  /** For who wants new tables open to apps at once. */
  grantedTablesSql: string
}

/** How the superuser of a project comes in. */
export type Admin = {
  address: DatabaseAddress
  password: string
  /** Of the operator for this project: the server proves by its certificate that it is the one. */
  authority: string
  /** The name that the certificate is for. */
  serverName: string
}

export const configOf = (
  { address, password, authority, serverName }: Admin,
  database: string,
): ClientConfig => ({
  host: address.socketDir,
  port: address.port,
  user: superuser,
  password,
  database,
  connectionTimeoutMillis: 10_000,
  ssl: { ca: authority, servername: serverName },
})

/**
 * Makes the database of a new project, before anybody has been in it. What is there already stays, so an attempt that was broken off is
 * finished. The superuser is never again in this database: whoever owns it could lay a trap there.
 */
export async function makeDatabase(
  admin: Admin,
  sql: ProjectSql,
  spec: ProjectSpec,
): Promise<void> {
  await withClient(configOf(admin, databaseName), async (client) => {
    for (const text of sql.everySql) await client.query(text)
    for (const once of sql.onceSql) {
      const { rows } = await client.query<{ missing: boolean }>(once.missing)
      if (rows[0]?.missing) await client.query(once.sql)
    }
    await client.query(sql.customerSql)
    if (spec.newTables === 'granted') await client.query(sql.grantedTablesSql)
    const services = serviceRoles.map((role) => [role, spec.passwords.service] as const)
    await setPasswords(client, new Map([[customerRole, spec.passwords.postgres], ...services]))
  })
}

/** In the operator's database, where no customer has ever been. */
export const inOwn = <T>(admin: Admin, work: (client: Client) => Promise<T>): Promise<T> =>
  withClient(configOf(admin, 'postgres'), work)

/**
 * Makes transactions of the project's database read only unless they ask for more. It holds for sessions from now on, so those of
 * people are ended, who come again; the services say for themselves what they need.
 */
export async function holdReadOnly(admin: Admin, readOnly: boolean): Promise<void> {
  await inOwn(admin, async (client) => {
    const { rows } = await client.query<{ is: boolean }>(isReadOnlySql, [databaseName])
    if ((rows[0]?.is ?? false) === readOnly) return
    const name = quoteIdent(databaseName)
    const setting = 'default_transaction_read_only'
    const words = readOnly ? ['set', setting, '= on'] : ['reset', setting]
    await client.query(['alter database', name, ...words].join(' '))
    await client.query(endSessionsSql, [databaseName, serviceRoles])
  })
}

const isReadOnlySql = `select 'default_transaction_read_only=on' = any (s.setconfig) as is
  from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
  where d.datname = $1 and s.setrole = 0`
const endSessionsSql = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = $1 and backend_type = 'client backend' and usename <> all ($2)`

/** For how many connections the server that runs has been started. */
export const connectionsOf = (admin: Admin): Promise<number> =>
  inOwn(admin, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      "select current_setting('max_connections')::int as count",
    )
    return rows[0]?.count ?? 0
  })
