import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cron } from '#contract/integrations/cron'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
})
afterAll(() => meta.close())

const list = async () => cron.list.returns.parse((await meta.call('GET', 'cron')).body)
async function create(job: object) {
  const { status, body } = await meta.call('POST', 'cron', job)
  const id = status === 201 ? cron.create.returns.parse(body).id : ''
  return { status, id }
}

test('a database without the extension has no jobs, and says so', async () => {
  expect(await list()).toEqual({ installed: false, timezone: 'UTC', jobs: [] })
  expect((await meta.call('GET', 'cron/runs')).body).toEqual({ runs: [] })
  const job = { name: 'a', schedule: '* * * * *', command: 'select 1' }
  expect((await create(job)).status).toBe(400)
  await meta.sql('create extension pg_cron')
  expect(await list()).toEqual({ installed: true, timezone: 'UTC', jobs: [] })
})

describe('refused', () => {
  test.each([
    ['no name', { name: ' ', schedule: '* * * * *', command: 'select 1' }, 400],
    ['no command', { name: 'a', schedule: '* * * * *', command: '' }, 400],
    ['no schedule', { name: 'a', schedule: '61 * * * *', command: 'select 1' }, 400],
  ])('%s', async (_, job, status) => {
    expect((await create(job)).status).toBe(status)
  })

  test('a job that is not there', async () => {
    for (const [method, path, body] of [
      ['PATCH', 'cron/999', { active: false }],
      ['DELETE', 'cron/999', undefined],
      ['DELETE', 'cron/9999999999999999999', undefined],
      ['POST', 'cron/999/run', {}],
    ] as const)
      expect((await meta.call(method, path, body)).status, `${method} ${path}`).toBe(404)
    expect((await meta.call('DELETE', 'cron/abc')).status).toBe(400)
  })
})

test('a job is made, listed with its next time, changed and removed', async () => {
  const job = { name: 'nightly', schedule: '0 3 * * *', command: 'select 1' }
  const { status, id } = await create(job)
  expect(status).toBe(201)
  expect(await create(job)).toMatchObject({ status: 409 })
  const [made] = (await list()).jobs
  expect(made).toMatchObject({
    ...job,
    id: id,
    username: 'postgres',
    active: true,
    last: null,
  })
  expect(made?.next).toMatch(/T03:00:00\.000Z$/)
  await meta.sql(`alter database "${meta.db.name}" set timezone = 'Europe/Berlin'`)
  const inBerlin = await list()
  expect(inBerlin.timezone).toBe('Europe/Berlin')
  expect(inBerlin.jobs[0]?.next).toMatch(/T0[12]:00:00\.000Z$/)
  await meta.sql(`alter database "${meta.db.name}" reset timezone`)
  await meta.call('PATCH', `cron/${id}`, { active: false, command: 'select 2' })
  expect((await list()).jobs[0]).toMatchObject({ active: false, next: null, command: 'select 2' })
  expect((await meta.call('POST', `cron/${id}/run`, {})).status).toBe(409)
  expect((await meta.call('DELETE', `cron/${id}`)).status).toBe(200)
  expect((await list()).jobs).toEqual([])
})

test('the next five times of a schedule, and none of what is no schedule', async () => {
  const preview = async (schedule: string) => {
    const path = `cron/preview?schedule=${encodeURIComponent(schedule)}`
    return cron.preview.returns.parse((await meta.call('GET', path)).body).next
  }
  const next = await preview('*/15 * * * *')
  expect(next).toHaveLength(5)
  const gaps = next.slice(1).map((at, n) => Date.parse(at) - Date.parse(next[n] ?? ''))
  expect(gaps).toEqual([900_000, 900_000, 900_000, 900_000])
  expect(await preview('nonsense')).toEqual([])
  expect(await preview('0 0 31 2 *')).toEqual([])
})

test('runs, newest first, by page, job and outcome', async () => {
  await meta.sql(`insert into cron.job_run_details (jobid, username, command, status, return_message, start_time, end_time)
    select 1 + n % 2, 'postgres', 'select ' || n, case when n % 3 = 0 then 'failed' else 'succeeded' end, 'SELECT 1', now(), now()
    from generate_series(1, 7) n`)
  const runs = async (query: string) =>
    cron.runs.returns.parse((await meta.call('GET', `cron/runs?${query}`)).body).runs
  const all = await runs('limit=100')
  expect(all.map(({ command }) => command)).toEqual([7, 6, 5, 4, 3, 2, 1].map((n) => `select ${n}`))
  expect(await runs(`limit=3&before=${all[1]?.id}`)).toEqual(all.slice(2, 5))
  expect((await runs('job=1')).map(({ job }) => job)).toEqual(['1', '1', '1'])
  expect((await runs('status=failed')).map(({ command }) => command)).toEqual([
    'select 6',
    'select 3',
  ])
})

test('a member who may only read sees jobs of everybody and changes none', async () => {
  await create({ name: 'theirs', schedule: '* * * * *', command: 'select 1' })
  const { body } = await meta.call('GET', 'cron', undefined, 'plinth_read_only')
  const { jobs } = cron.list.returns.parse(body)
  expect(jobs.map(({ name }) => name)).toEqual(['theirs'])
  const [job] = jobs
  const removed = await meta.call('DELETE', `cron/${job?.id}`, undefined, 'plinth_read_only')
  expect(removed.status).toBeGreaterThanOrEqual(400)
  expect(removed.status).toBeLessThan(500)
})

test('how runs have ended is told by the hour', async () => {
  const { id } = await create({ name: 'counted', schedule: '0 0 1 1 *', command: 'select 1' })
  await meta.sql(`insert into cron.job_run_details (jobid, status, start_time, end_time) values
    (${id}, 'succeeded', date_trunc('hour', now()) - interval '1 hour', date_trunc('hour', now()) - interval '1 hour' + interval '1.5 seconds'),
    (${id}, 'failed', date_trunc('hour', now()) - interval '1 minute', date_trunc('hour', now())),
    (${id}, 'running', now(), null),
    (${id}, 'failed', now() - interval '30 days', now() - interval '30 days')`)
  const of = async (query: string) =>
    cron.results.returns.parse((await meta.call('GET', `cron/results?${query}`)).body).bars
  const bars = await of(`job=${id}&hours=3`)
  expect(bars).toMatchObject([
    { succeeded: 0, failed: 0, longest_ms: null },
    { succeeded: 1, failed: 1, longest_ms: 60_000 },
    { succeeded: 0, failed: 0, longest_ms: null },
  ])
  expect(Date.parse(bars[1]?.began_at ?? '') % 3_600_000).toBe(0)
  expect(await of('job=999999')).toHaveLength(24)
  for (const query of ['hours=0', 'hours=169', 'job=x'])
    expect((await meta.call('GET', `cron/results?${query}`)).status, query).toBe(400)
})
