import { chmod, chown, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, expect, test } from 'vitest'
import { locateBinaries } from '#kit/postgres/binaries'
import { initCluster } from '#kit/postgres/cluster'
import { namedUnprivilegedUser, runsAsRoot } from '#kit/postgres/os-user'
import { runnableBinaries } from '#kit/postgres/runtime'
import { startServer, stopServer } from '#kit/postgres/server'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '#kit/testing/postgres'

const databases: TestDatabase[] = []
afterEach(async () => {
  for (const database of databases.splice(0)) await database.drop()
})

async function as(database: TestDatabase, role: string, ...statements: string[]) {
  const client = new Client(database.configFor(role))
  client.on('error', () => undefined)
  await client.connect()
  try {
    const rows: Record<string, unknown>[] = []
    for (const sql of statements) {
      const result = await client.query<Record<string, unknown>>(sql)
      rows.splice(0, rows.length, ...(result.rows ?? []))
    }
    return rows
  } finally {
    await client.end()
  }
}
async function kept(made: Promise<TestDatabase>): Promise<TestDatabase> {
  const database = await made
  databases.push(database)
  return database
}
const schema = () => readFile(new URL('./migrations/001-tables.sql', import.meta.url), 'utf8')

const tables = [
  'audit_log_entries',
  'flow_state',
  'identities',
  'instances',
  'mfa_amr_claims',
  'mfa_challenges',
  'mfa_factors',
  'one_time_tokens',
  'refresh_tokens',
  'saml_providers',
  'saml_relay_states',
  'schema_migrations',
  'sessions',
  'sso_domains',
  'sso_providers',
  'users',
]

test('the schema can be made where nothing is, and again', async () => {
  const database = await kept(createEmptyDatabase())
  const text = await schema()
  await as(database, 'supabase_admin', text, text)
  const rows = await as(
    database,
    'supabase_admin',
    `select relname, relrowsecurity, pg_get_userbyid(relowner) as owner from pg_class
      where relnamespace = 'auth'::regnamespace and relkind = 'r' order by relname`,
  )
  expect(rows.map((row) => row['relname'])).toEqual(tables)
  for (const row of rows) {
    expect(row).toMatchObject({ relrowsecurity: true, owner: 'supabase_auth_admin' })
  }
})

test('a server that has none of the roles takes the schema as it is', async () => {
  const user = runsAsRoot() ? await namedUnprivilegedUser() : undefined
  const binaries = await runnableBinaries(await locateBinaries(), undefined, user)
  const folder = await mkdtemp(join(tmpdir(), 'plinth-auth-'))
  await chmod(folder, 0o711)
  const [dataDir, socketDir] = [join(folder, 'data'), join(folder, 's')]
  await mkdir(socketDir, { mode: 0o700 })
  if (user) await chown(socketDir, user.uid, user.gid)
  const login = { superuser: 'platform', password: 'x' }
  await initCluster({ binaries, dataDir, ...login, user, noSync: true })
  const logFile = join(folder, 'log')
  const options = { binaries, dataDir, socketDir, tcp: false, logFile, user }
  const { port } = await startServer({ ...options, port: 5432 })
  try {
    const client = new Client({
      host: socketDir,
      port,
      user: 'platform',
      password: 'x',
      database: 'postgres',
    })
    client.on('error', () => undefined)
    await client.connect()
    const text = await schema()
    await client.query(text)
    await client.query(text)
    const { rows } = await client.query('select version from auth.schema_migrations')
    expect(rows).toEqual([])
    await client.end()
  } finally {
    await stopServer(dataDir, { mode: 'immediate' })
    await rm(folder, { recursive: true, force: true })
  }
})

test('an owner who is no superuser can make it too', async () => {
  const database = await kept(createEmptyDatabase())
  const role = `owner_${database.name}`
  await as(
    database,
    'supabase_admin',
    `create role ${role}`,
    `grant create on database ${database.name} to ${role}`,
  )
  const text = await schema()
  const owners = `select distinct pg_get_userbyid(relowner) as owner from pg_class
    where relnamespace = 'auth'::regnamespace and relkind = 'r'`
  const rows = await as(database, 'supabase_admin', `set role ${role}`, text, text, owners)
  expect(rows).toEqual([{ owner: role }])
  await as(database, 'supabase_admin', `drop owned by ${role}`, `drop role ${role}`)
})

test('the owner of a project reads, seeds, refers to and hangs triggers on users', async () => {
  const database = await kept(createTestDatabase())
  const rows = await as(
    database,
    'postgres',
    'create table public.profiles (id uuid primary key references auth.users (id) on delete cascade)',
    `create function public.add_profile() returns trigger language plpgsql security definer as
       $$ begin insert into public.profiles values (new.id); return new; end $$`,
    `create trigger add_profile after insert on auth.users
       for each row execute function public.add_profile()`,
    `insert into auth.users (id, email) values (gen_random_uuid(), 'a@example.com')`,
    `update auth.users set email_confirmed_at = now()`,
    `select u.confirmed_at = u.email_confirmed_at as confirmed from public.profiles join auth.users u using (id)`,
  )
  expect(rows).toEqual([{ confirmed: true }])
  const left = await as(
    database,
    'postgres',
    'delete from auth.users',
    'select * from public.profiles',
  )
  expect(left).toEqual([])
})

test.each(['authenticator_anon', 'authenticator_authenticated', 'authenticator_service_role'])(
  '%s cannot read users',
  async (role) => {
    const database = await kept(createTestDatabase())
    for (const table of ['users', 'sessions', 'refresh_tokens', 'one_time_tokens']) {
      await expect(as(database, role, `select * from auth.${table}`)).rejects.toThrow(
        'permission denied',
      )
    }
  },
)
