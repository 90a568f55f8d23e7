import { randomBytes } from 'node:crypto'
import { withClient, type Client } from '#kit/postgres/client'
import { setPasswords } from '#kit/postgres/passwords'
import {
  closeReaderSql,
  openReaderSql,
  readerOptions,
  readerRole,
  type Reader,
} from '../../local/admin-session.ts'
import { serviceRoles, type ProjectSpec } from '../../provider.ts'
import { configOf, inOwn, type Admin } from '../database-store.ts'
import { customerRole } from '../objects.ts'

/** Databases of the project and of its customer; the operator's own has nothing of theirs. */
export const databasesOf = (admin: Admin): Promise<string[]> =>
  inOwn(admin, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select datname as name from pg_database
        where datallowconn and not datistemplate and datname <> 'postgres' order by 1`,
    )
    return rows.map(({ name }) => name)
  })

/** Opens a login that may only read for as long as `work` takes. The superuser is never in a database of a customer. */
export async function withReader<T>(
  admin: Admin,
  work: (reader: Reader) => Promise<T>,
): Promise<T> {
  const password = randomBytes(24).toString('base64url')
  await inOwn(admin, async (client) => {
    await client.query(openReaderSql)
    await setPasswords(client, new Map([[readerRole, password]]))
  })
  try {
    return await work({
      session: (database, read) =>
        withClient(
          { ...configOf(admin, database), user: readerRole, password, options: readerOptions },
          read,
        ),
    })
  } finally {
    await inOwn(admin, (client) => client.query(closeReaderSql))
  }
}

/** Commits something, so that what is replayed can be told to stop before it, and returns a moment before that. */
export const commitMark = (admin: Admin): Promise<Date> => inOwn(admin, commitNow)

async function commitNow(client: Client): Promise<Date> {
  const { rows } = await client.query<{ at: Date }>(
    "select date_trunc('milliseconds', clock_timestamp()) as at, pg_current_xact_id()",
  )
  const [row] = rows
  if (!row) throw new Error('The server did not say when it is')
  return row.at
}

/** The same, and ends the file that it is written in. */
export const commitAndSwitch = (admin: Admin): Promise<{ at: Date; wal: string }> =>
  inOwn(admin, async (client) => {
    const at = await commitNow(client)
    const { rows } = await client.query<{ wal: string }>(
      'select pg_walfile_name(pg_switch_wal()) as wal',
    )
    return { at, wal: rows[0]?.wal ?? '' }
  })

/** The last file that is in the archive, and why the last one is not. */
export const archived = (
  admin: Admin,
): Promise<{ last: string | undefined; failed: string | undefined }> =>
  inOwn(admin, async (client) => {
    const { rows } = await client.query<{ last: string | null; failed: string | null }>(
      `select last_archived_wal as last,
         case when last_failed_time > coalesce(last_archived_time, '-infinity') then last_failed_wal end as failed
       from pg_stat_archiver`,
    )
    return { last: rows[0]?.last ?? undefined, failed: rows[0]?.failed ?? undefined }
  })

/** Data of an earlier day have the passwords of that day, and may lack logins that came since. */
export const givePasswords = (
  admin: Admin,
  { passwords }: Pick<ProjectSpec, 'passwords'>,
): Promise<void> =>
  inOwn(admin, async (client) => {
    const { rows } = await client.query<{ name: string }>('select rolname as name from pg_roles')
    const there = new Set(rows.map(({ name }) => name))
    const services = serviceRoles.map((role) => [role, passwords.service] as const)
    const logins = [[customerRole, passwords.postgres] as const, ...services]
    await setPasswords(client, new Map(logins.filter(([role]) => there.has(role))))
  })
