import { Client, Pool } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startHooks } from '../testing/webhooks/hooks-plane.ts'
import { createDueCalls } from './due-store.ts'

/** Very many calls that wait: a look stays cheap, none of them holds up others, and none is forgotten. */
let hooks: Awaited<ReturnType<typeof startHooks>>
let pool: Pool
let other: Client
beforeAll(async () => {
  hooks = await startHooks({ setup: 'create table orders (id int, customer text)' })
  pool = new Pool(hooks.plane.database.configFor('plinth_sql'))
  other = new Client(hooks.plane.database.configFor('postgres'))
  await other.connect()
})
afterAll(async () => {
  await other.end()
  await pool.end()
  await hooks.close()
})
afterEach(async () => {
  hooks.enable()
  await hooks.sql(`drop table orders cascade; create table orders (id int, customer text);
    truncate supabase_functions.deliveries cascade; truncate supabase_functions.hook_settings`)
  hooks.receiver.forget()
})

const states = async (name: string) => (await hooks.deliveries(name)).map(({ state }) => state)
const customers = (url: string) =>
  hooks.receiver.heard
    .filter((call) => call.url === url)
    .map(({ body }) => (JSON.parse(body) as { record: { customer: string } }).record.customer)
const ordered = async (name = 'ordered', columns = '{customer}') => {
  await hooks.hook(name, 'orders')
  await hooks.settings(
    name,
    'orders',
    'order_by, max_attempts, first_wait',
    `'${columns}', 20, 3600`,
  )
}
/** As the trigger would have made them, with a key for each number. `key`, `due`: SQL. */
const asMany = (count: number, key: string, due: string, attempts = 0) =>
  hooks.sql(`insert into supabase_functions.deliveries
      (hook_table, hook_name, method, url, headers, body, timeout_milliseconds, order_key, due_at, attempts)
    select 'orders'::regclass, 'ordered', 'POST', '${hooks.receiver.address}/ordered', '{}',
      '{"record": {"customer": "many"}}', 20000, ${key}, ${due}, ${attempts} from generate_series(1, ${count}) n`)

/** Pages of the database that statements have read: a busy machine reads as many as any other. */
async function pagesRead(): Promise<number> {
  const { rows } = await other.query<{ n: string }>(`
      select coalesce(sum(shared_blks_hit + shared_blks_read), 0) as n from extensions.pg_stat_statements(false)
      where dbid = (select oid from pg_database where datname = current_database())`)
  return Number(rows[0]?.n)
}
/** By a look, the mean of several, while nobody else is at work. */
async function readByLook(): Promise<number> {
  const looks = 9
  const before = await pagesRead()
  for (let look = 0; look < looks; look += 1)
    expect(await createDueCalls().take(pool, 32)).toMatchObject({ taken: [], again: false })
  return ((await pagesRead()) - before) / looks
}

test('two hundred thousand behind a call that fails: others go on at once, and a look reads few of them', async () => {
  await ordered()
  hooks.receiver.answers(({ body }) => ({ status: body.includes('"stuck"') ? 500 : 200 }))
  await hooks.sql(`insert into orders values (0, 'stuck')`)
  await expect
    .poll(async () => (await hooks.deliveries('ordered'))[0])
    .toMatchObject({
      attempts: 1,
      later: true,
    })
  // The trigger puts aside what waits for another, and so does whoever looks.
  await hooks.sql(`insert into orders select n, 'stuck' from generate_series(1, 1000) n`)
  const aside = () =>
    hooks.sql(`select (count(*) filter (where due_at = 'infinity'))::int as aside, count(*)::int as all
        from supabase_functions.deliveries where state = 'waiting'`)
  expect(await aside()).toEqual([{ aside: 1000, all: 1001 }])
  const key = `(select order_key from supabase_functions.deliveries where id = (select min(id) from supabase_functions.deliveries))`
  await asMany(199_000, key, `'infinity'`)
  await hooks.hook('besides', 'orders')
  await hooks.sql(`insert into orders values (1, 'other')`)
  await expect.poll(() => customers('/ordered')).toEqual(['stuck', 'other'])
  await expect.poll(() => states('besides')).toEqual(['delivered'])
  await hooks.stop()
  // It read all of them before, which took a second.
  expect(await readByLook()).toBeLessThan(5000)
  expect(await aside()).toEqual([{ aside: 200_000, all: 200_001 }])
})

test('fifty thousand keys that wait to be tried again: a look reads few of them', async () => {
  await hooks.stop()
  await ordered()
  await asMany(50_000, 'md5(n::text)', `now() + interval '1 hour'`, 1)
  await asMany(50_000, 'md5(n::text)', `'infinity'`)
  expect(await readByLook()).toBeLessThan(5000)
})

test('keys that came after the server has counted others: a look reads few of them all the same', async () => {
  await hooks.stop()
  await ordered()
  await asMany(50_000, `'one'`, `'infinity'`)
  await hooks.sql(
    'analyze supabase_functions.deliveries; truncate supabase_functions.deliveries cascade',
  )
  await asMany(25_000, 'md5(n::text)', `now() + interval '1 hour'`, 1)
  await asMany(25_000, 'md5(n::text)', `'infinity'`)
  expect(await readByLook()).toBeLessThan(5000)
  await hooks.sql(
    `update supabase_functions.deliveries set due_at = now() where due_at = 'infinity' and id % 100 = 0`,
  )
  const before = await pagesRead()
  expect((await createDueCalls().take(pool, 32)).taken).toEqual([])
  expect((await pagesRead()) - before).toBeLessThan(10_000)
})

test('calls that nobody has put aside, as after a replay, are each passed once, and what is behind them is made', async () => {
  await hooks.stop()
  await ordered()
  await asMany(1, `'one'`, `now() + interval '1 hour'`, 1)
  await asMany(5000, `'one'`, 'now()')
  const due = createDueCalls()
  expect(await due.take(pool, 32)).toMatchObject({ taken: [], again: true })
  await hooks.sql(`insert into orders values (1, 'other')`)
  hooks.enable()
  await expect.poll(() => customers('/ordered')).toEqual(['other'])
  expect(await due.take(pool, 32)).toMatchObject({ taken: [], again: false })
})

test('all of one key are made one after the other, in their order', async () => {
  await ordered('ordered', '{}')
  await hooks.sql(`insert into orders select n, n::text from generate_series(1, 100) n`)
  await expect
    .poll(() => customers('/ordered'))
    .toEqual(Array.from({ length: 100 }, (_, index) => String(index + 1)))
  expect(hooks.receiver.most('/ordered')).toBe(1)
})

test('a call that was asked for while the one before it ended is made', async () => {
  await ordered()
  let release: () => void = () => undefined
  const gate = new Promise<void>((resolve) => (release = resolve))
  hooks.receiver.answers(({ body }) =>
    body.includes('"id": 1') ? gate.then(() => ({ status: 200 })) : { status: 200 },
  )
  await hooks.sql(`insert into orders values (1, 'a')`)
  await expect.poll(() => hooks.receiver.heard.length).toBe(1)
  // It sees the first one wait, and cannot be seen itself when that ends.
  await other.query(`begin; insert into orders values (2, 'a')`)
  release()
  await expect.poll(() => states('ordered')).toEqual(['delivered'])
  await other.query('commit')
  await expect.poll(() => states('ordered')).toEqual(['delivered', 'delivered'])
})

test('nobody waits for a call that was taken away by hand, however many keys there are', async () => {
  await hooks.stop()
  await ordered()
  await asMany(600, 'md5(n::text)', `now() + interval '1 hour'`, 1)
  await asMany(600, 'md5(n::text)', `'infinity'`)
  await hooks.sql('delete from supabase_functions.deliveries where attempts = 1')
  const aside = () =>
    hooks.sql(
      `select count(*)::int as n from supabase_functions.deliveries where due_at = 'infinity'`,
    )
  // Whoever is told to end does not go through all keys before.
  await createDueCalls().mendAll(pool, AbortSignal.abort())
  expect(await aside()).toEqual([{ n: 600 }])
  await createDueCalls().mendAll(pool)
  expect(await aside()).toEqual([{ n: 0 }])
  hooks.enable()
  await expect
    // Six hundred calls take their time on a busy machine; those that somebody waits for would take an hour.
    .poll(async () => new Set(await states('ordered')), { timeout: 100_000 })
    .toEqual(new Set(['delivered']))
})

test('who is told to end before they have begun goes through no keys', async () => {
  await hooks.stop()
  await ordered()
  await asMany(20_000, 'md5(n::text)', `now() + interval '1 hour'`, 1)
  const admin = new Client(hooks.plane.database.configFor('supabase_admin'))
  await admin.connect()
  try {
    await admin.query('begin; lock table supabase_functions._project in access exclusive mode')
    const second = await hooks.another()
    hooks.enable()
    const waiting = `select from pg_locks where relation = 'supabase_functions._project'::regclass and not granted`
    await expect.poll(async () => (await admin.query(waiting)).rowCount).toBe(2)
    const before = await pagesRead()
    hooks.enable(false)
    const ended = second.close()
    await admin.query('commit')
    await ended
    await hooks.stop()
    // A look takes 1,700 for two hundred and fifty keys.
    expect((await pagesRead()) - before).toBeLessThan(5000)
  } finally {
    await admin.end()
  }
})

test('an owner who holds the lock of looks keeps their own calls waiting, and no process from ending', async () => {
  await ordered()
  await other.query(`select pg_advisory_lock(hashtextextended('plinth_hooks', 0))`)
  await hooks.sql(`insert into orders values (1, 'a')`)
  await hooks.stop()
  hooks.enable()
  expect(await states('ordered')).toEqual(['waiting'])
  await other.query('select pg_advisory_unlock_all()')
  await expect.poll(() => states('ordered')).toEqual(['delivered'])
})
