import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RestartableService } from '#contract/projects/service-restarts'
import { withClient } from '#kit/postgres/client'
import type { TestDataPlane } from './testing/data-plane.ts'
import { Line, startRealtime } from './testing/realtime/client.ts'

let plane: TestDataPlane
beforeAll(async () => {
  plane = await startRealtime(
    `create table book (id int primary key);
     grant select on book to anon;
     create function nap(seconds float8) returns int language sql volatile as $$ select 1 from pg_sleep(seconds) $$;
     grant execute on function nap to anon`,
  )
})
afterAll(() => plane?.close())

let restarts: Partial<Record<RestartableService, string>> = {}
/** Somebody restarts a service: every process hears of it in this way. */
function restart(service: RestartableService): void {
  restarts = { ...restarts, [service]: new Date().toISOString() }
  plane.directory.put({ ...plane.project, restarts })
}

const get = (path: string, key = plane.project.anonKey) =>
  fetch(`${plane.url}${path}`, { headers: { apikey: key, authorization: `Bearer ${key}` } })
const users = () => get('/auth/v1/admin/users', plane.project.serviceKey)

/** Sessions of our services in the database, by login. */
async function sessions(): Promise<Record<string, number[]>> {
  const { rows } = await withClient(plane.database.adminConfig, (client) =>
    client.query<{ usename: string; pids: number[] }>(
      `select usename, array_agg(pid order by pid) as pids from pg_stat_activity
       where datname = current_database() and application_name = 'plinth' group by 1`,
    ),
  )
  return Object.fromEntries(rows.map(({ usename, pids }) => [usename, pids]))
}
const of = async (login: string) => (await sessions())[login] ?? []
const eventually = { timeout: 60_000, interval: 25 }
/** Of those that there were none is left. */
const gone = (login: string, before: number[]) =>
  expect
    .poll(async () => (await of(login)).filter((pid) => before.includes(pid)), eventually)
    .toEqual([])

test('the data API connects anew and reads the schema again, and Auth keeps what it has', async () => {
  expect((await get('/rest/v1/book')).status).toBe(200)
  expect((await users()).status).toBe(200)
  // A table of which no event trigger tells, so that only reading again finds it.
  await withClient(plane.database.adminConfig, async (client) => {
    await client.query('set event_triggers = off')
    await client.query('create table public.quiet (id int); grant select on public.quiet to anon')
  })
  expect((await get('/rest/v1/quiet')).status).toBe(404)
  const before = await sessions()
  expect(before['authenticator_anon']).toHaveLength(1)

  restart('rest')
  await gone('authenticator_anon', before['authenticator_anon'] ?? [])
  await gone('authenticator', before['authenticator'] ?? [])
  expect((await get('/rest/v1/quiet')).status).toBe(200)
  expect(await of('authenticator_anon')).toHaveLength(1)
  expect(await of('supabase_auth_admin')).toEqual(before['supabase_auth_admin'])
  // It is told of changes again, on the connection that listens now.
  await plane.sql('create table later (id int); grant select on later to anon')
  expect((await get('/rest/v1/later')).status).toBe(200)
})

test('a request that runs when the data API restarts is answered, and its connection is not used again', async () => {
  const slow = fetch(`${plane.url}/rest/v1/rpc/nap`, {
    method: 'POST',
    headers: { apikey: plane.project.anonKey, 'content-type': 'application/json' },
    body: JSON.stringify({ seconds: 1 }),
  })
  const running = async () => {
    const [found] = await plane.sql(
      `select pid from pg_stat_activity where query like '%nap%' and usename = 'authenticator_anon' and state = 'active'`,
    )
    return found?.['pid']
  }
  await expect.poll(running, eventually).toBeTypeOf('number')
  const before = await of('authenticator_anon')
  restart('rest')
  expect((await get('/rest/v1/book')).status).toBe(200)
  expect((await slow).status).toBe(200)
  await gone('authenticator_anon', before)
})

test('Auth connects anew, and the data API keeps what it has', async () => {
  expect((await get('/rest/v1/book')).status).toBe(200)
  expect((await users()).status).toBe(200)
  const before = await sessions()
  expect(before['supabase_auth_admin']?.length).toBeGreaterThan(0)
  restart('auth')
  await gone('supabase_auth_admin', before['supabase_auth_admin'] ?? [])
  expect((await users()).status).toBe(200)
  expect(await of('authenticator_anon')).toEqual(before['authenticator_anon'])
})

test('Realtime sends its clients away, leaves nothing in the database, and takes them again', async () => {
  const line = await Line.open(plane)
  expect((await line.join('room')).status).toBe('ok')
  const before = await of('plinth_realtime')
  const slots = async () =>
    (
      await plane.sql(
        'select slot_name from pg_replication_slots where database = current_database()',
      )
    ).length
  await expect.poll(slots, eventually).toBe(1)
  const api = await of('authenticator_anon')

  restart('realtime')
  await expect.poll(() => line.ended !== undefined, eventually).toBe(true)
  await gone('plinth_realtime', before)
  await expect.poll(slots, eventually).toBe(0)
  expect(await of('authenticator_anon')).toEqual(api)

  const again = await Line.open(plane)
  expect((await again.join('room')).status).toBe('ok')
  again.close()
})

test('what is told again restarts nothing, and a restart of one service leaves sockets of another alone', async () => {
  const line = await Line.open(plane)
  expect((await line.join('room')).status).toBe('ok')
  expect((await get('/rest/v1/book')).status).toBe(200)
  const before = await of('authenticator_anon')
  plane.directory.put({ ...plane.project, restarts })
  restart('auth')
  expect((await line.join('another')).status).toBe('ok')
  expect(await of('authenticator_anon')).toEqual(before)
  line.close()
})
