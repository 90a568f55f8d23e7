import { afterAll, beforeAll, expect, test } from 'vitest'
import { loginRoles, type LoginRole } from '#contract/database/login-roles'
import { scramVerifier } from '#kit/postgres/scram'
import { ownedProject } from '../../testing/owned-project.ts'

const { owner, reader } = loginRoles
let project: Awaited<ReturnType<typeof ownedProject>>
beforeAll(async () => {
  project = await ownedProject()
})
afterAll(() => project.close())

const inAnHour = () => new Date(Date.now() + 3_600_000)
async function open(role: LoginRole, password: string, until = inAnHour()) {
  const { provider, ref, logins } = project
  const opening = { role, verifier: await scramVerifier(password), until }
  return provider.openLogin?.(ref, opening, logins.admin.password)
}
const close = () => project.provider.closeLogins?.(project.ref, project.logins.admin.password)
const enter = (role: LoginRole, password: string) => project.as({ role, password })

test('nobody can sign in before it is opened', async () => {
  await expect(enter(owner, '')).rejects.toThrow(/password|authentication failed/)
})

test("the owner's becomes postgres, and what it makes belongs to postgres", async () => {
  await open(reader, 'read')
  expect(await open(owner, 'first')).toBe(true)
  const client = await enter(owner, 'first')
  await expect(client.query('create table public.books (id int)')).rejects.toThrow(/permission/)
  await client.query('set session role postgres')
  await client.query('create table public.books (id int); insert into public.books values (1)')
  expect(await project.rows(`select tableowner from pg_tables where tablename = 'books'`)).toEqual([
    { tableowner: 'postgres' },
  ])
  for (const climb of ['supabase_admin', 'supabase_auth_admin', 'plinth_read_only', reader])
    await expect(client.query(`set session role ${climb}`), climb).rejects.toThrow(/permission/)
})

test('another password ends the one before', async () => {
  await open(owner, 'second')
  await expect(enter(owner, 'first')).rejects.toThrow(/authentication failed/)
  await enter(owner, 'second')
})

test('one whose time is over is refused', async () => {
  await open(owner, 'third', new Date(Date.now() - 1000))
  await expect(enter(owner, 'third')).rejects.toThrow(/authentication failed/)
})

test('the reader sees every row and changes none, whatever its session says', async () => {
  await project.rows('alter table public.books enable row level security')
  await open(reader, 'read')
  const client = await enter(reader, 'read')
  expect((await client.query('select id from public.books')).rows).toEqual([{ id: 1 }])
  await expect(client.query('insert into public.books values (2)')).rejects.toThrow(/read-only/)
  await client.query('set default_transaction_read_only = off')
  for (const change of [
    'insert into public.books values (2)',
    'create table public.mine (id int)',
    'set role plinth_read_only',
    'set role postgres',
    'select rolpassword from pg_authid',
    'select * from auth.users',
  ])
    await expect(client.query(change), change).rejects.toThrow(/permission denied/)
})

test('the owner of the database can change neither, nor be in one', async () => {
  await open(owner, 'fourth')
  for (const attempt of [
    `alter role ${owner} valid until 'infinity'`,
    `alter role ${owner} superuser`,
    `alter role ${owner} set search_path = 'trap'`,
    `alter role ${reader} password 'known'`,
    `grant ${reader} to postgres`,
    `drop role ${reader}`,
  ])
    await expect(project.rows(attempt), attempt).rejects.toThrow(/permission denied/)
})

test('roles of these names that the owner made before lose what they had', async () => {
  const other = await ownedProject()
  try {
    await other.rows('create schema trap; create role friend login; create role club')
    for (const role of [owner, reader]) {
      await other.rows(`create role ${role} login createrole createdb; grant ${role} to friend`)
      await other.rows(`grant club to ${role} with admin option`)
      await other.rows(`alter role ${role} set search_path = 'trap'`)
      await other.rows(`alter role ${role} in database postgres set work_mem = '8MB'`)
      const opening = { role, verifier: await scramVerifier('again'), until: inAnHour() }
      expect(
        await other.provider.openLogin?.(other.ref, opening, other.logins.admin.password),
      ).toBe(true)
      expect(
        await other.rows(
          `select rolcreaterole, rolcreatedb, rolvaliduntil is not null as ends,
             (select array_agg(m.roleid::regrole::text order by 1) from pg_auth_members m where m.member = r.oid) as is_in,
             (select array_agg(m.member::regrole::text) from pg_auth_members m where m.roleid = r.oid) as holds,
             (select array_agg(s.setconfig::text) from pg_db_role_setting s where s.setrole = r.oid) as settings
           from pg_roles r where rolname = $1`,
          [role],
        ),
      ).toEqual([
        {
          rolcreaterole: false,
          rolcreatedb: false,
          ends: true,
          is_in: [role === owner ? 'postgres' : 'plinth_read_only'],
          holds: null,
          settings: role === owner ? null : ['{default_transaction_read_only=on}'],
        },
      ])
    }
    const look = await other.provider.checkRoles?.(other.ref, other.logins.admin.password)
    expect(look).toEqual({ findings: [] })
  } finally {
    await other.close()
  }
})

test('closing ends both, with their sessions, and can be repeated', async () => {
  await open(owner, 'last')
  const client = await enter(owner, 'last')
  const gone = new Promise<void>((resolve) => client.once('end', () => resolve()))
  client.on('error', () => undefined)
  expect(await close()).toBe(true)
  await gone
  expect(await close()).toBe(true)
  await expect(enter(owner, 'last')).rejects.toThrow(/not permitted to log in|authentication/)
  await expect(enter(reader, 'read')).rejects.toThrow(/not permitted to log in|authentication/)
})

test('a server that does not run has nobody let in', async () => {
  await project.end()
  await project.provider.stop(project.ref)
  expect(await open(owner, 'stopped')).toBe(false)
  expect(await close()).toBe(false)
})
