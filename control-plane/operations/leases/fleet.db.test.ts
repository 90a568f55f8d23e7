import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { silentLog } from '#kit/log'
import { root } from '#kit/root'
import { bundleProgram } from '#kit/testing/program'
import { createPlatformDatabase, type TestDatabase } from '#kit/testing/postgres'
import { rounds } from '#kit/testing/rounds'
import { openDatabase } from '../../platform-database/database.ts'
import { acceptJob } from '../jobs/store.ts'

let program: string
let database: TestDatabase
let platform: ReturnType<typeof openDatabase>
const running = new Map<string, ChildProcess>()
let begun = 0

beforeAll(async () => {
  program = await bundleProgram('control-plane/testing/fleet-child.ts', 'fleet')
  database = await createPlatformDatabase()
  platform = openDatabase(database.adminConfig, silentLog)
  await platform.pool.query(
    `create table marks (id bigint generated always as identity, job uuid, step text, executor text);
     create table spans (id bigint generated always as identity, executor text, began timestamptz, ended timestamptz)`,
  )
})
afterEach(async () => {
  await Promise.all([...running.keys()].map((executor) => end(executor)))
})
afterAll(async () => {
  await platform.pool.end()
  await database.drop()
  await rm(program, { force: true })
})

async function start(executor = `plane-${(begun += 1)}`): Promise<string> {
  const given = JSON.stringify({ database: database.adminConfig, executor })
  const child = spawn(process.execPath, [program, given], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.set(executor, child)
  const ended = once(child, 'exit').then(([code]) => {
    running.delete(executor)
    throw new Error(`${executor} ended with ${code}`)
  })
  // Later it is told to end.
  ended.catch(() => undefined)
  await Promise.race([once(child.stdout, 'data'), ended])
  return executor
}
async function end(executor: string, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  const child = running.get(executor)
  if (!child) throw new Error(`${executor} does not run`)
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}
const rowsOf = async (query: string, values: unknown[] = []) =>
  (await platform.pool.query<Record<string, unknown>>(query, values)).rows

async function accept(count: number): Promise<string[]> {
  const jobs = await platform.db
    .transaction()
    .execute((tx) => Promise.all(Array.from({ length: count }, () => acceptJob(tx, 'mark', 'abc'))))
  return jobs.map(({ id }) => id)
}
const unfinished = async (ids: string[]) =>
  (await rowsOf('select id from platform.jobs where id = any($1) and finished_at is null', [ids]))
    .length
const leader = async () =>
  (
    await rowsOf(
      `select holder from platform.leases where name = 'rounds' and expires_at > clock_timestamp()`,
    )
  )[0]?.['holder']

test('programs that begin at the same moment on a new database all come up', async () => {
  for (let again = 0; again < 2; again += 1) {
    // What the library of jobs has made, as in the databases that others are copied from.
    await platform.pool.query('drop schema if exists dbos cascade')
    await Promise.all([start(), start(), start()])
    await Promise.all([...running.keys()].map((executor) => end(executor)))
  }
})

test('one of three does the rounds, and hands them over at once when it ends', async () => {
  await platform.pool.query('truncate marks, spans')
  const first = await start()
  const others = [await start(), await start()]
  const ids = await accept(6)
  await expect.poll(() => unfinished(ids)).toBe(0)
  const steps = await rowsOf(
    'select job, step, count(*)::int as n from marks where job = any($1) group by 1, 2 having count(*) > 1',
    [ids],
  )
  expect(steps).toEqual([])
  expect(
    new Set((await rowsOf('select executor from spans')).map((row) => row['executor'])),
  ).toEqual(new Set([first]))
  await end(first)
  await expect.poll(leader).toBeOneOf(others)
})

test('what a program that was killed had begun goes on in another', async () => {
  const first = await start()
  await start()
  await start()
  const ids = await accept(30)
  const begunBy = () =>
    rowsOf('select 1 from marks where job = any($1) and executor = $2', [ids, first])
  await expect.poll(async () => (await begunBy()).length).toBeGreaterThan(5)
  await end(first, 'SIGKILL')
  await expect.poll(() => unfinished(ids), { timeout: 60_000 }).toBe(0)
  const by = await rowsOf('select distinct executor from marks where job = any($1)', [ids])
  expect(by.length).toBeGreaterThan(1)
})

test(
  'however often they are killed, each job is done, no step twice but one that was cut short, and no two do the rounds at once',
  { timeout: 600_000 },
  async () => {
    await platform.pool.query('truncate marks, spans')
    const kills = rounds(4, 60)
    for (let at = 0; at < 3; at += 1) await start()
    const ids: string[] = []
    for (let done = 0; done < kills; done += 1) {
      ids.push(...(await accept(10)))
      const before = await unfinished(ids)
      // Somewhere within the jobs: when the first of these are done.
      await expect
        .poll(() => unfinished(ids), { timeout: 60_000, interval: 5 })
        .toBeLessThan(before)
      const names = [...running.keys()]
      const holder = await leader()
      const victim = done % 2 === 0 ? names.find((name) => name === holder) : names.at(done % 3)
      await end(victim ?? names[0] ?? '', 'SIGKILL')
      await start()
    }
    await expect.poll(() => unfinished(ids), { timeout: 120_000 }).toBe(0)
    const steps = await rowsOf('select distinct job, step from marks where job = any($1)', [ids])
    expect(steps).toHaveLength(ids.length * 4)
    // A step that was done and not yet written down when its program was killed is done again, by another program.
    expect(
      await rowsOf('select job, step from marks group by job, step, executor having count(*) > 1'),
    ).toEqual([])
    expect(
      await rowsOf(
        `select a.executor, b.executor as other from spans a join spans b
           on a.id < b.id and a.executor <> b.executor and b.began < a.ended and a.began < coalesce(b.ended, b.began)`,
      ),
    ).toEqual([])
  },
)
