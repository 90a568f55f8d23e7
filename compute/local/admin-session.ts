import { randomBytes } from 'node:crypto'
import type { ClientConfig } from 'pg'
import { Client, withClient } from '#kit/postgres/client'
import { setPasswords } from '#kit/postgres/passwords'

/** How the superuser comes into a project's server: over its unix socket alone. */
export type Admin = { host: string; port: number; password: string }

/**
 * Why the platform may be superuser in a project, and nothing else is done so: every one of these is about the server or its
 * roles, or the shape of what the platform keeps there, and none reads, writes or calls what a tenant has made (docs/security.md).
 */
const reasons = {
  'project sql':
    'a template, or a new server, that no tenant has seen is given what every project has',
  verifier:
    'the pooler checks who signs in, by what the catalogue keeps of the password of a role that is none of the platform',
  'login roles':
    'a login for a while is opened or closed, which is a role of the platform and owns nothing',
  passwords: 'logins of the platform and of the customer are given their passwords',
  'base backup': 'the server streams a copy of its files',
  upgrade:
    'platform schemas are given what this version needs, which is recorded; no other rows are read or written, no triggers fire',
  roles: 'superusers, members and owners that no project is given are looked for and taken away',
  replicas:
    'the login that read replicas come in by is opened, their slots are made, looked at and dropped, and they are asked how far they are',
  reader: 'the login that counts rows is opened and closed',
  copies:
    'in a copy that nobody has reached yet the catalogue says what is to be masked, the login that does it is made and dropped, and what the catalogue knows of rows of before is thrown away',
} as const
export type Reason = keyof typeof reasons

/**
 * What a database or a role sets for its sessions holds for all but these: names without a schema mean the server's own,
 * and nobody else's rights are taken on.
 */
const pinned = {
  search_path: 'pg_catalog',
  role: 'none',
  default_transaction_read_only: 'off',
  statement_timeout: '0',
}
/** What whoever was superuser here has hung on sessions that begin, or on statements, is not run either. */
const pinnedForAdmin = { ...pinned, event_triggers: 'off' }
/** A look at roles is worth no long wait: not for a lock in there, and not for a server that does not answer. */
const lookWithin = { statement_timeout: '5s' }
const answerWithin = { connectionTimeoutMillis: 10_000, query_timeout: 10_000 }
const optionsOf = (settings: Record<string, string>) =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')

const configOf = ({ host, port, password }: Admin, settings: Record<string, string>) => ({
  host,
  port,
  password,
  user: 'supabase_admin',
  database: 'postgres',
  options: optionsOf(settings),
})

/** A session of the superuser, in the database that no tenant can drop. */
export const withAdmin = <T>(
  admin: Admin,
  reason: Reason,
  work: (client: Client) => Promise<T>,
): Promise<T> => withClient(sessionOf(admin, reason), work)

function sessionOf(admin: Admin, reason: Reason): ClientConfig {
  if (reason === 'project sql') return configOf(admin, {})
  if (
    reason !== 'roles' &&
    reason !== 'verifier' &&
    reason !== 'replicas' &&
    reason !== 'login roles'
  )
    return configOf(admin, pinnedForAdmin)
  return { ...configOf(admin, { ...pinnedForAdmin, ...lookWithin }), ...answerWithin }
}

/** A session of the superuser that hands out copies; the caller connects and ends it. */
export const replicationClient = (admin: Admin, _reason: 'base backup'): Client =>
  new Client({ ...configOf(admin, {}), replication: 'true' } as ClientConfig)

export const readerRole = 'plinth_backup_reader'
/** Whoever made a role of this name before, it is ours from now on, and nobody else is in it. */
export const openReaderSql = `do $open$
declare member record;
begin
  if not exists (select from pg_roles where rolname = 'plinth_backup_reader') then
    create role plinth_backup_reader;
  end if;
  for member in select m.member::regrole as name, m.grantor::regrole as by from pg_auth_members m
    where m.roleid = 'plinth_backup_reader'::regrole
  loop
    execute format('revoke plinth_backup_reader from %s granted by %s cascade', member.name, member.by);
  end loop;
  alter role plinth_backup_reader login inherit bypassrls nosuperuser nocreaterole nocreatedb noreplication connection limit 4;
  grant pg_read_all_data, pg_use_reserved_connections to plinth_backup_reader;
end $open$`
export const closeReaderSql = 'alter role plinth_backup_reader nologin'
/** Nothing that a database or a role sets for its sessions holds for its own. */
export const readerOptions = optionsOf({ ...pinned, default_transaction_read_only: 'on' })

/** A login that owns nothing and may only read. Whatever a tenant's object were to do in its session, it could do no more. */
export type Reader = {
  session<T>(database: string, work: (client: Client) => Promise<T>): Promise<T>
}

/** Opens that login for as long as `work` takes. */
export async function withReader<T>(
  admin: Admin,
  work: (reader: Reader) => Promise<T>,
): Promise<T> {
  const password = randomBytes(24).toString('base64url')
  await withAdmin(admin, 'reader', async (client) => {
    await client.query(openReaderSql)
    await setPasswords(client, new Map([[readerRole, password]]))
  })
  const config = {
    ...configOf({ ...admin, password }, {}),
    options: readerOptions,
    user: readerRole,
  }
  try {
    return await work({
      session: (database, read) => withClient({ ...config, database }, read),
    })
  } finally {
    await withAdmin(admin, 'reader', (client) => client.query(closeReaderSql))
  }
}

/** What a tenant may have set for a database, and that would end long work. */
const unhurried = {
  lock_timeout: '0',
  transaction_timeout: '0',
  idle_session_timeout: '0',
  idle_in_transaction_session_timeout: '0',
}

/**
 * A login of its own for as long as `work` takes, which has the rights that `grants` gives it and no others: whatever code of a
 * tenant runs in its session (in an index, a check, a generated column) can do no more than that. Triggers, rules and foreign keys
 * do not act for it. Only in a copy that is thrown away when this fails: then it is not dropped.
 */
export async function withChanger<T>(
  admin: Admin,
  grants: (role: string) => readonly string[],
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const role = `plinth_changer_${randomBytes(8).toString('hex')}`
  const password = randomBytes(24).toString('base64url')
  const made = [
    `create role ${role} login bypassrls nosuperuser nocreaterole nocreatedb noreplication`,
    `alter role ${role} set session_replication_role = 'replica'`,
    ...grants(role),
  ].join(';\n')
  await withAdmin(admin, 'copies', async (client) => {
    await client.query(made)
    await setPasswords(client, new Map([[role, password]]))
  })
  const config = { ...configOf({ ...admin, password }, { ...pinned, ...unhurried }), user: role }
  const done = await withClient(config, async (client) => {
    const { rows } = await client.query<{ session_replication_role: string }>(
      'show session_replication_role',
    )
    if (rows[0]?.session_replication_role !== 'replica')
      throw new Error('Triggers would fire while a copy is changed')
    return work(client)
  })
  const dropped = `drop owned by ${role};\ndrop role ${role}`
  await withAdmin(admin, 'copies', (client) => client.query(dropped))
  return done
}
