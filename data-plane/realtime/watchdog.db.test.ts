import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestDataPlane } from '../testing/data-plane.ts'
import { Line, startRealtime } from '../testing/realtime/client.ts'

let plane: TestDataPlane
beforeAll(async () => {
  plane = await startRealtime(
    `create table watched (id int primary key); create table filler (text text);
     alter publication supabase_realtime add table watched`,
    {},
    { realtimeTiming: { slotWatch: 50 }, slotMostLag: 1_000_000 },
  )
})
afterAll(() => plane.close())

const slot = async () => {
  const rows = await plane.sql(
    'select active_pid as pid from pg_replication_slots where database = current_database() and confirmed_flush_lsn is not null',
  )
  return rows.map(({ pid }) => pid)
}

test('a slot that holds back too much WAL is let go of, and changes come again once it can be read', async () => {
  const line = await Line.open(plane)
  const requested = [{ event: '*', schema: 'public', table: 'watched' }]
  await line.join('db', { postgres_changes: requested })
  expect((await line.hearEvent('system')).payload['status']).toBe('ok')
  const [before] = await slot()
  expect(before).toBeTypeOf('number')
  // While a transaction that has written is open, nothing after its beginning can be let go of.
  const holder = new Client(plane.database.configFor('postgres'))
  await holder.connect()
  await holder.query('begin; insert into filler values (1)')
  await plane.sql(
    'insert into filler select repeat(md5(i::text), 40) from generate_series(1, 3000) i',
  )
  await expect.poll(slot).not.toContain(before)
  await holder.query('rollback')
  await holder.end()
  await expect.poll(slot).toHaveLength(1)
  await expect
    .poll(async () => {
      await plane.sql('insert into watched select coalesce(max(id), 0) + 1 from watched')
      return line.heard.some(({ event }) => event === 'postgres_changes')
    })
    .toBe(true)
  line.close()
})
