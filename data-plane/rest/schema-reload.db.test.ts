import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'
import { restClient, type Ask } from '../testing/rest/client.ts'

let plane: TestDataPlane
let ask: Ask
beforeAll(async () => {
  plane = await startDataPlane('create table books (id int primary key)')
  ask = restClient(plane)
})
afterAll(() => plane.close())

test('what was created a moment ago is there, every time', async () => {
  await ask('GET /books')
  for (let i = 0; i < 20; i++) {
    await plane.sql(
      `create table t${i} (id int); create function f${i}(a int) returns int language sql return a`,
    )
    expect((await ask(`GET /t${i}`)).status).toBe(200)
    expect((await ask(`GET /rpc/f${i}?a=1`)).json).toBe(1)
    await plane.sql(`alter table t${i} add column fresh text`)
    expect((await ask(`POST /t${i}`, { body: { fresh: 'x' } })).status).toBe(201)
  }
})

test('what was dropped is gone once the notice is heard', async () => {
  await plane.sql('create table shortly (id int)')
  expect((await ask('GET /shortly')).status).toBe(200)
  await plane.sql('drop table shortly')
  const code = async () => ((await ask('GET /shortly')).json as { code?: string }).code
  await expect.poll(code).toBe('PGRST205')
})

test('a type that changes under a prepared statement does not break it', async () => {
  await plane.sql('create table moving (id int, v int); insert into moving values (1, 5)')
  for (let i = 0; i < 8; i++) await ask('GET /moving?v=eq.5')
  await plane.sql('alter table moving alter v type text')
  expect((await ask('GET /moving?v=eq.5')).json).toEqual([{ id: 1, v: '5' }])
  await plane.sql('alter table moving drop column v, add column w text')
  expect((await ask('GET /moving')).json).toEqual([{ id: 1, w: null }])
})

test('values are compared in the way of a type that a column has now', async () => {
  await plane.sql(
    "create table zoned (at timestamp); insert into zoned values ('2024-01-01 12:00')",
  )
  const path = `GET /zoned?at=eq.${encodeURIComponent('2024-01-01T14:00:00+02:00')}`
  for (let i = 0; i < 4; i++) expect((await ask(path)).json).toEqual([])
  await plane.sql("alter table zoned alter at type timestamptz using at at time zone 'UTC'")
  await expect.poll(async () => (await ask(path)).json).toHaveLength(1)
})

test('a notice by hand, with any payload, reloads; role settings too', async () => {
  const name = plane.database.name
  await plane.sql(`create function limits() returns text language sql stable as
    'select current_setting(''statement_timeout'')'`)
  await plane.sql(`alter role authenticated in database ${name} set statement_timeout = '4321ms'`)
  const timeout = async () => (await ask('GET /rpc/limits', { as: 'authenticated' })).json
  for (const payload of ["'reload config'", "'reload schema'", "''"]) {
    await plane.sql(`notify pgrst, ${payload}`)
    await expect.poll(timeout).toBe('4321ms')
  }
})

test('requests go on while the schema is reloaded again and again', async () => {
  await plane.sql(
    `do $$ begin for i in 1..600 loop execute format('create table many_%s (id int, a text, b text)', i); end loop; end $$`,
  )
  await ask('GET /many_600')
  let done = false
  const changes = (async () => {
    for (let i = 0; i < 40; i++) await plane.sql(`comment on table many_1 is 'c${i}'`)
    done = true
  })()
  const times: number[] = []
  while (!done) {
    const start = performance.now()
    expect((await ask('GET /books')).status).toBe(200)
    times.push(performance.now() - start)
  }
  await changes
  // A request that waited for a load of 600 tables would take longer than the median many times over.
  const sorted = times.toSorted((a, b) => a - b)
  const median = sorted[sorted.length >> 1] ?? 0
  expect(sorted[Math.floor(sorted.length * 0.9)]).toBeLessThan(Math.max(median * 20, 250))
})

test('a lost listening connection is made again, and what was missed is seen', async () => {
  const listening =
    "select pid from pg_stat_activity where datname = current_database() and query ilike '%listen pgrst%'"
  const kill = `select pg_terminate_backend(pid) from (${listening}) x where pid <> pg_backend_pid()`
  await ask('GET /books')
  await plane.sql(kill)
  await plane.sql('create table after_the_loss (id int)')
  const status = async () => (await ask('GET /after_the_loss')).status
  await expect.poll(status).toBe(200)
})
