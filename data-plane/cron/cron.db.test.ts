import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Client } from '#kit/postgres/client'
import { silentLog } from '#kit/log'
import { createDataPlane } from '../app.ts'
import { fixedDirectory } from '../testing/fixed-directory.ts'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'

/** Jobs of a database that the data plane runs by a clock of ours. */
let plane: TestDataPlane
let refs: string[] = []
let told: { ref: string; used: boolean }[] = []
const watchers = new Set<() => void>()
const start = Date.parse('2026-11-27T10:00:30Z')
let clock = start
/** Each look asks for the time when it begins and when it ends. */
let asked = 0
let goesBackAtEnd = false
function now(): number {
  asked += 1
  if (goesBackAtEnd && asked % 2 === 0) {
    goesBackAtEnd = false
    clock -= 3_600_000
  }
  return clock
}

const source = {
  cron: async () => refs.map((ref) => ({ ref, run_days: 7 })),
  onAnyChange: (listener: () => void) => {
    watchers.add(listener)
    return () => watchers.delete(listener)
  },
}
const timing = { look: 20, retry: 50 }
const options = {
  cron: {
    source,
    keepUse: async (ref: string, used: boolean) => {
      told.push({ ref, used })
    },
    timing,
    now,
  },
}

let admin: Client
beforeAll(async () => {
  plane = await startDataPlane(
    `create extension pg_cron;
     create table seen (job text, at timestamptz not null default clock_timestamp(), who text default current_user);
     grant insert on seen to anon, service_role`,
    {},
    undefined,
    options,
  )
  admin = new Client(plane.database.configFor('supabase_admin'))
  await admin.connect()
})
afterAll(async () => {
  await admin.end()
  await plane.close()
})
beforeEach(async () => {
  clock = start
  await plane.sql(
    'truncate seen; truncate cron.job_run_details; truncate cron._ticks; truncate cron.job cascade',
  )
})
afterEach(async () => {
  enable(false)
  await expect.poll(async () => (await admin.query(leaders)).rows).toEqual([])
  told = []
  asked = 0
})

function enable(on = true): void {
  refs = on ? [plane.project.ref] : []
  for (const watcher of watchers) watcher()
}
const details = () =>
  plane.sql(`select jobid, status, return_message, username, command, job_pid is not null as has_pid,
    end_time >= start_time as is_over from cron.job_run_details order by jobid, runid`)
const ended = async (count: number) => {
  await expect
    .poll(async () => (await details()).filter(({ status }) => status !== 'running').length)
    .toBe(count)
  return details()
}
/** The process whose session holds the lock. */
const leaders = `select a.pid, a.query_start, a.state, a.query from pg_stat_activity a join pg_locks l using (pid)
  where l.locktype = 'advisory' and l.objid <> 77 and a.datname = current_database()`
/** The scheduler has read the jobs as they are now. Its process. */
async function isLed(): Promise<number> {
  const { rows } = await admin.query<{ now: Date }>('select clock_timestamp() as now')
  const reads = `select pid from (${leaders}) leader
    where query like '%from cron.job where active order by%' and state = 'idle' and query_start > $1`
  let found: number | undefined
  await expect
    .poll(
      async () =>
        (found = (await admin.query<{ pid: number }>(reads, [rows[0]?.now])).rows[0]?.pid),
    )
    .toBeDefined()
  return found ?? 0
}

test('a job runs when it is due, and what became of it is kept', async () => {
  await plane.sql(`select cron.schedule('tell', '* * * * *', 'insert into seen values (''tell'')')`)
  enable()
  await isLed()
  expect(await details()).toEqual([])
  clock = Date.parse('2026-11-27T10:01:00Z')
  const [first] = await ended(1)
  expect(first).toMatchObject({
    status: 'succeeded',
    return_message: 'INSERT 0 1',
    username: 'postgres',
    has_pid: true,
    is_over: true,
  })
  clock = Date.parse('2026-11-27T10:02:01Z')
  await ended(2)
  expect(await plane.sql('select job, who from seen')).toEqual([
    { job: 'tell', who: 'postgres' },
    { job: 'tell', who: 'postgres' },
  ])
})

test('a job that is made, changed or switched off while it runs is heard of at once', async () => {
  enable()
  await isLed()
  await plane.sql(`select cron.schedule('late', '* * * * *', 'insert into seen values (''one'')')`)
  await isLed()
  clock += 60_000
  await ended(1)
  await plane.sql(`select cron.schedule('late', '* * * * *', 'insert into seen values (''two'')')`)
  await isLed()
  clock += 60_000
  await ended(2)
  await plane.sql(`select cron.alter_job(jobid, active := false) from cron.job`)
  await plane.sql(`select cron.schedule('other', '* * * * *', 'select 1')`)
  await isLed()
  clock += 60_000
  await ended(3)
  expect((await plane.sql('select job from seen')).map(({ job }) => job)).toEqual(['one', 'two'])
})

test('what was missed is not made up for, and a clock that goes back repeats nothing', async () => {
  const tellings = (job: string) => plane.sql(`select from seen where job = '${job}'`)
  const schedule = (job: string) =>
    plane.sql(`select cron.schedule('${job}', '0 * * * *', 'insert into seen values (''${job}'')')`)
  await schedule('tell')
  enable()
  await isLed()
  // Asleep over the hour.
  clock = Date.parse('2026-11-27T11:30:00Z')
  await schedule('mark')
  await isLed()
  clock = Date.parse('2026-11-27T12:00:01Z')
  await ended(2)
  expect([await tellings('tell'), await tellings('mark')].map(({ length }) => length)).toEqual([
    1, 1,
  ])
  // Back by half an hour: twelve has been, for those that were there.
  clock = Date.parse('2026-11-27T11:45:00Z')
  // A look that has begun at twelve is over: to it, what is new would have been there then.
  await isLed()
  await schedule('new')
  await isLed()
  clock = Date.parse('2026-11-27T12:00:01Z')
  await ended(3)
  expect([await tellings('tell'), await tellings('new')].map(({ length }) => length)).toEqual([
    1, 1,
  ])
})

test('a clock that goes back in the midst of a look makes nobody wait', async () => {
  enable()
  await isLed()
  goesBackAtEnd = true
  await expect.poll(() => goesBackAtEnd).toBe(false)
  await isLed()
})

describe('as whom', () => {
  test.each(['anon', 'service_role'])('%s, and never as more', async (role) => {
    await plane.sql(`insert into cron.job (schedule, command, username)
      values ('* * * * *', 'reset role; insert into seen values (''as'')', '${role}'),
      ('* * * * *', 'set role postgres', '${role}'), ('* * * * *', 'reset role; create table public.mine ()', '${role}')`)
    enable()
    await isLed()
    clock += 60_000
    const runs = await ended(3)
    expect(await plane.sql('select who from seen')).toEqual([{ who: role }])
    expect(runs.map(({ status }) => status)).toEqual(['succeeded', 'failed', 'failed'])
    for (const { return_message } of runs.slice(1))
      expect(return_message).toMatch(/permission denied/)
  })

  test('a role of the customer is told that it cannot', async () => {
    await plane.sql(`create role mine; grant mine to postgres;
      insert into cron.job (schedule, command, username) values ('* * * * *', 'select 1', 'mine')`)
    enable()
    await isLed()
    clock += 60_000
    const [run] = await ended(1)
    expect(run).toMatchObject({ status: 'failed', return_message: expect.stringMatching(/"mine"/) })
    await plane.sql('truncate cron.job cascade; drop role mine')
  })
})

test('a job that fails says why, and one with rows without end holds nobody up', async () => {
  await plane.sql(`select cron.schedule('bad', '* * * * *', 'select 1/0'),
    cron.schedule('worse', '* * * * *', 'nonsense'), cron.schedule('two', '* * * * *', 'select 1; delete from seen'),
    cron.schedule('copy', '* * * * *', 'copy seen from stdin'),
    cron.schedule('big', '* * * * *', 'select repeat(''x'', 1000) from generate_series(1, 50000)')`)
  enable()
  await isLed()
  clock += 60_000
  const runs = await ended(5)
  const of = (command: string) => runs.find((run) => String(run['command']).includes(command))
  expect(of('1/0')).toMatchObject({ status: 'failed', return_message: 'ERROR: division by zero' })
  expect(of('nonsense')?.['return_message']).toMatch(/^ERROR: syntax error/)
  expect(of('delete')).toMatchObject({ status: 'succeeded', return_message: 'DELETE 0' })
  expect(of('copy')?.['status']).toBe('failed')
  expect(of('repeat')).toMatchObject({ status: 'succeeded', return_message: 'SELECT 50000' })
})

test('a run waits for the one before, and of those that come due meanwhile one is left', async () => {
  await plane.sql(`select cron.schedule('slow', '* * * * *', 'select pg_advisory_xact_lock(77); insert into seen values (''slow'')'),
    cron.schedule('quick', '* * * * *', 'select 1')`)
  await admin.query('select pg_advisory_lock(77)')
  enable()
  await isLed()
  for (let minute = 1; minute <= 4; minute++) {
    clock += 60_000
    await ended(minute)
  }
  await admin.query('select pg_advisory_unlock(77)')
  // Four of the quick one, the slow one of the first minute, and that of the last.
  await ended(6)
  expect(await plane.sql('select job from seen')).toHaveLength(2)
})

test('a job is run now when somebody wants it, beside its schedule', async () => {
  await plane.sql(
    `select cron.schedule('yearly', '0 0 1 1 *', 'insert into seen values (''now'')')`,
  )
  enable()
  await isLed()
  await plane.sql(`select pg_notify('plinth_cron', 'run ' || jobid) from cron.job`)
  await plane.sql(
    `select pg_notify('plinth_cron', text) from unnest(array['run', 'run x', 'run 99999', '']) text`,
  )
  await ended(1)
  clock = Date.parse('2027-01-01T00:00:00Z')
  await ended(2)
  expect(await plane.sql('select job from seen')).toHaveLength(2)
})

test('jobs that came with a copy of another project are switched off before anything runs', async () => {
  await plane.sql(`select cron.schedule('tell', '* * * * *', 'insert into seen values (''tell'')');
    truncate cron._project; insert into cron._project values ('anotherprojectanothe')`)
  enable()
  await isLed()
  clock += 60_000
  expect(await plane.sql('select active from cron.job')).toEqual([{ active: false }])
  await plane.sql(`select cron.alter_job(jobid, active := true) from cron.job`)
  await isLed()
  clock += 60_000
  await ended(1)
})

test('a session that breaks is followed by another, and no minute is run again', async () => {
  await plane.sql(`select cron.schedule('tell', '* * * * *', 'insert into seen values (''tell'')')`)
  enable()
  await isLed()
  clock += 60_000
  await ended(1)
  await admin.query(
    `select pg_terminate_backend(pid, 10000) from pg_locks where locktype = 'advisory'`,
  )
  await isLed()
  clock += 60_000
  await ended(2)
  expect(await plane.sql('select job from seen')).toHaveLength(2)
})

test('runs are kept as long as the plan says, and those that still run stay', async () => {
  await plane.sql(`insert into cron.job_run_details (jobid, status, start_time, return_message) values
    (1, 'succeeded', now() - interval '8 days', 'old'), (1, 'failed', now() - interval '6 days', 'young')`)
  enable()
  const kept = async () => (await details()).map(({ return_message: message }) => message)
  await expect.poll(kept).toEqual(['young'])
})

test('of two processes one runs the jobs, and the other takes over', async () => {
  const other = createDataPlane({
    directory: fixedDirectory([plane.project]),
    internalToken: 'another',
    mailFrom: 'Plinth <no-reply@localhost>',
    keepMail: () => Promise.resolve(),
    imports: { folder: join(tmpdir(), `plinth-imports-${randomUUID()}`) },
    log: silentLog,
    cron: {
      ...options.cron,
      source: {
        cron: async () => [{ ref: plane.project.ref, run_days: 7 }],
        onAnyChange: () => () => undefined,
      },
    },
  })
  try {
    await plane.sql(
      `select cron.schedule('tell', '* * * * *', 'insert into seen values (''tell'')')`,
    )
    enable()
    const first = await isLed()
    await other.listen({ host: '127.0.0.1', port: 0 })
    for (let minute = 1; minute <= 5; minute++) {
      clock += 60_000
      await ended(minute)
    }
    expect(await isLed()).toBe(first)
    enable(false)
    const holds = async () => (await admin.query<{ pid: number }>(leaders)).rows[0]?.pid ?? first
    await expect.poll(holds).not.toBe(first)
    await isLed()
    clock += 60_000
    await ended(6)
  } finally {
    await other.close()
  }
  expect(await plane.sql('select job from seen')).toHaveLength(6)
})

test('what a process has left running is noted as such by the next', async () => {
  await plane.sql(
    `insert into cron.job_run_details (jobid, command, status, start_time) values (1, 'x', 'running', now())`,
  )
  enable()
  const [run] = await ended(1)
  expect(run).toMatchObject({ status: 'failed', return_message: expect.stringMatching(/ended/) })
})

test('who creates the extension is heard of, by whichever way, and so is who drops it', async () => {
  const query = (sql: string) =>
    plane.app.inject({
      method: 'POST',
      url: `/internal/pg-meta/${plane.project.ref}/query`,
      headers: {
        authorization: 'Bearer a token that only our own programs know',
        'x-plinth-login': 'postgres',
      },
      payload: { query: sql },
    })
  expect((await query('select 1 as one')).json()).toEqual([{ one: 1 }])
  await expect.poll(() => told).toEqual([{ ref: plane.project.ref, used: true }])
  refs = [plane.project.ref]
  expect((await query('drop extension pg_cron')).json()).toEqual([])
  await expect.poll(() => told.at(-1)).toEqual({ ref: plane.project.ref, used: false })
  await query('create extension pg_cron')
})
