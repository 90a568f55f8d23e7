import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownedProject } from '../../testing/owned-project.ts'

let project: Awaited<ReturnType<typeof ownedProject>>
beforeAll(async () => {
  project = await ownedProject()
  await project.rows('create extension if not exists "pg_cron" with schema "pg_catalog"')
})
afterAll(() => project.close())

const rows = (sql: string, values: unknown[] = []) => project.rows(sql, values)

test.each([
  '* * * * *',
  '*/5 0-23/2 1,15 jan-mar mon',
  '0 0 $ * *',
  ' 5  4 * * 7 ',
  '0 0 1 DEC Sun',
  '1 second',
  '59 seconds',
])('the schedule "%s" is one', async (schedule) => {
  const [row] = await rows('select cron.schedule($1, $2) as id', [schedule, 'select 1'])
  const kept = await rows('select schedule, active, username from cron.job where jobid = $1', [
    row?.['id'],
  ])
  expect(kept).toEqual([{ schedule, active: true, username: 'postgres' }])
})

test.each([
  '',
  '* * * *',
  '* * * * * *',
  '60 * * * *',
  '* 24 * * *',
  '* * 0 * *',
  '* * 32 * *',
  '* * * 13 *',
  '* * * * 8',
  '*/0 * * * *',
  '1-x * * * *',
  '0 seconds',
  '60 seconds',
  '$ * * * *',
  '* * * foo *',
  '5,, * * * *',
  '@daily',
  "'; drop table cron.job; --",
])('the schedule "%s" is none', async (schedule) => {
  await expect(rows('select cron.schedule($1, $2)', [schedule, 'select 1'])).rejects.toMatchObject({
    code: '22023',
    message: `invalid schedule: ${schedule}`,
    hint: expect.stringContaining('5 4 * * *'),
  })
})

test('a job by its name is changed by scheduling it again, altered and removed', async () => {
  const schedule = (command: string) =>
    rows(`select cron.schedule('nightly', '0 3 * * *', $1) as id`, [command])
  const [first] = await schedule('select 1')
  expect(await schedule('select 2')).toEqual([first])
  const job = () => rows(`select command, schedule, active from cron.job where jobname = 'nightly'`)
  expect(await job()).toEqual([{ command: 'select 2', schedule: '0 3 * * *', active: true }])
  await rows(`select cron.alter_job($1, schedule := '10 seconds', active := false)`, [
    first?.['id'],
  ])
  expect(await job()).toEqual([{ command: 'select 2', schedule: '10 seconds', active: false }])
  expect(await rows(`select cron.unschedule('nightly') as done`)).toEqual([{ done: true }])
  expect(await job()).toEqual([])
})

describe('refused', () => {
  test.each([
    ['a job that is not there', `select cron.unschedule('nowhere')`, '42704'],
    ['one by its number', 'select cron.unschedule(999999)', '42704'],
    ['a change of it', 'select cron.alter_job(999999, active := false)', '42704'],
    ['no name', `select cron.schedule(null, '* * * * *', 'select 1')`, '22004'],
    [
      'another database',
      `select cron.schedule_in_database('x', '* * * * *', 'select 1', 'template1')`,
      '0A000',
    ],
    [
      'a job as the superuser',
      `select cron.schedule_in_database('x', '* * * * *', 'select 1', 'postgres', 'supabase_admin')`,
      '42501',
    ],
    [
      'a job as nobody',
      `select cron.schedule_in_database('x', '* * * * *', 'select 1', 'postgres', 'nobody')`,
      '42501',
    ],
  ])('%s', async (_, sql, code) => {
    await expect(rows(sql)).rejects.toMatchObject({ code })
  })

  test('anon knows nothing of it', async () => {
    const anon = await project.as(project.logins.service('authenticator_anon'))
    for (const sql of ['table cron.job', `select cron.schedule('* * * * *', 'select 1')`])
      await expect(anon.query(sql)).rejects.toMatchObject({ code: '42501' })
  })
})

test('who is let in sees and makes jobs of their own, as nobody else', async () => {
  await rows(`grant usage on schema cron to authenticated, service_role;
    grant select, insert, update, delete on cron.job to authenticated, service_role;
    grant usage on sequence cron.jobid_seq to authenticated, service_role`)
  const user = await project.as(project.logins.service('authenticator_authenticated'))
  await user.query(`select cron.schedule('mine', '* * * * *', 'select 1')`)
  const { rows: seen } = await user.query('select jobname, username from cron.job')
  expect(seen).toEqual([{ jobname: 'mine', username: 'authenticated' }])
  const [other] = await rows(`select jobid from cron.job where username = 'postgres' limit 1`)
  const unschedule = user.query('select cron.unschedule($1::bigint)', [other?.['jobid']])
  await expect(unschedule).rejects.toMatchObject({ code: '42704' })
  // The second one passes by row level security.
  for (const login of ['authenticator_authenticated', 'authenticator_service_role']) {
    const client = await project.as(project.logins.service(login))
    for (const sql of [
      `update cron.job set username = 'postgres'`,
      `insert into cron.job (schedule, command, username) values ('* * * * *', '', 'postgres')`,
    ])
      await expect(client.query(sql), `${sql} as ${login}`).rejects.toMatchObject({ code: '42501' })
  }
})

test('it is dropped and created again', async () => {
  await rows('drop extension pg_cron')
  expect(await rows(`select to_regnamespace('cron') as schema`)).toEqual([{ schema: null }])
  await rows('create extension pg_cron')
  expect(await rows('select count(*)::int from cron.job')).toEqual([{ count: 0 }])
})
