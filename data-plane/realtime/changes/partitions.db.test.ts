import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TestDataPlane } from '../../testing/data-plane.ts'
import { Line, startRealtime } from '../../testing/realtime/client.ts'

let plane: TestDataPlane
beforeAll(async () => {
  plane = await startRealtime(`
    create policy all_read on realtime.messages for select to anon using (true);
    create policy all_write on realtime.messages for insert to anon with check (true);`)
})
afterAll(() => plane.close())

const lines: Line[] = []
async function open(): Promise<Line> {
  const line = await Line.open(plane)
  lines.push(line)
  return line
}
const partitions = async () =>
  (
    await plane.sql(`select inhrelid::regclass::text as name from pg_inherits
      where inhparent = 'realtime.messages'::regclass order by 1`)
  ).map(({ name }) => String(name))
const today = async () => {
  const [row] = await plane.sql("select 'messages_' || to_char(now(), 'YYYY_MM_DD') as name")
  return String(row?.['name'])
}
const isPrivate = { private: true }
const send = (topic: string) => plane.sql(`select realtime.send('{}', 'stored', '${topic}')`)
const broadcast = () =>
  fetch(`${plane.url}/realtime/v1/api/broadcast`, {
    method: 'POST',
    headers: { apikey: plane.project.anonKey, 'content-type': 'application/json' },
    body: JSON.stringify({
      messages: [{ topic: 'room', event: 'by http', payload: {}, private: true }],
    }),
  })

/** Partitions are tables that the owner of the project can drop. */
async function drop(): Promise<string[]> {
  for (const name of await partitions()) await plane.sql(`drop table if exists ${name}`)
  return partitions()
}
beforeEach(async () => {
  // The service may be making some of the next days.
  await expect.poll(drop).toEqual([])
})
afterEach(() => {
  for (const line of lines.splice(0)) line.close()
})

test('who joins a private channel makes the partition of the day again', async () => {
  const line = await open()
  expect(await line.join('room', isPrivate)).toMatchObject({ status: 'ok' })
  expect(await partitions()).toContain(`realtime.${await today()}`)
})

test('a policy for messages from the database knows the topic that they are for', async () => {
  await plane.sql(
    "create policy one_topic on realtime.messages for insert to authenticated with check (realtime.topic() = 'allowed')",
  )
  for (const topic of ['allowed', 'other'])
    await plane.sql(`
      begin; set local role authenticated;
      select realtime.send('{}', 'said', '${topic}');
      select realtime.send_binary('\\x00', 'said', '${topic}');
      commit`)
  expect(
    await plane.sql('select distinct topic, count(*)::int from realtime.messages group by 1'),
  ).toEqual([{ topic: 'allowed', count: 2 }])
})

test('who sends from the database, or by HTTP, does so too, and those who listen go on hearing', async () => {
  const line = await open()
  await line.join('room', isPrivate)
  await drop()
  await send('room')
  await line.hear(({ payload }) => payload['event'] === 'stored')
  await drop()
  expect((await broadcast()).status).toBe(202)
  await line.hear(({ payload }) => payload['event'] === 'by http')
  expect(await partitions()).toContain(`realtime.${await today()}`)
})

test('a replay without any partition has nothing to tell', async () => {
  const line = await open()
  const config = { ...isPrivate, broadcast: { replay: { since: 1, limit: 10 } } }
  expect(await line.join('room', config)).toMatchObject({ status: 'ok' })
  expect(line.heard.filter(({ event }) => event === 'broadcast')).toEqual([])
})

test('where it cannot be made, private channels say so, public ones go on, and so does what writes', async () => {
  const name = await today()
  // The service makes partitions ahead at the same time: whoever comes second drops and tries again.
  const take = async () => {
    await plane.sql(`drop table if exists realtime.${name}`)
    await plane.sql(`create table realtime.${name} (taken int)`)
    return 'taken'
  }
  await expect.poll(() => take().catch((error: Error) => error.message)).toBe('taken')
  const line = await open()
  const reason = 'MissingPartition: There is no partition for messages of today'
  expect(await line.join('room', isPrivate)).toEqual({ status: 'error', response: { reason } })
  expect(await line.join('lobby')).toMatchObject({ status: 'ok' })
  const answer = await broadcast()
  expect([answer.status, await answer.json()]).toEqual([503, { message: reason, error: reason }])
  await send('room')
  await plane.sql(`drop table realtime.${name}`)
  expect(await line.join('room', isPrivate)).toMatchObject({ status: 'ok' })
})

test('a check of the project on the table is no missing partition', async () => {
  await plane.sql(`alter table realtime.messages add constraint short check (length(topic) < 6)`)
  const line = await open()
  const reason = 'Unauthorized: You do not have permissions to read from this Channel topic: longer'
  expect(await line.join('longer', isPrivate)).toEqual({ status: 'error', response: { reason } })
  expect(await line.join('room', isPrivate)).toMatchObject({ status: 'ok' })
  await plane.sql('alter table realtime.messages drop constraint short')
})
