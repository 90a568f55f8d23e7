import type { Socket } from 'node:net'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#kit/testing/postgres'
import { startPooler, type TestPooler } from '../../testing/pooler.ts'
import { message, query } from '../shared/messages.ts'

/** Clients that do not keep to the rules share one connection with one that does. */
let database: TestDatabase
let pooler: TestPooler
let neighbour: Client
beforeAll(async () => {
  database = await createTestDatabase()
  const owner = new Client(database.configFor('postgres'))
  await owner.connect()
  await owner.query('create table public.lines (line text)')
  await owner.end()
})
beforeEach(async () => {
  pooler = await startPooler(database, { pool: { size: 1, clients: 20 } })
  neighbour = new Client(pooler.config('transaction'))
  await neighbour.connect()
})
afterEach(async () => {
  await neighbour.end()
  await pooler.close()
})
afterAll(() => database.drop())

/** A client that has signed in, and from then on says what it is given as bytes. */
async function rude() {
  const client = new Client(pooler.config('transaction'))
  client.on('error', () => undefined)
  await client.connect()
  // The driver has it; its types do not say so.
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  stream.removeAllListeners('data')
  let answer = Buffer.alloc(0)
  stream.on('data', (chunk: Buffer) => (answer = Buffer.concat([answer, chunk])))
  const closed = new Promise<void>((resolve) => stream.once('close', () => resolve()))
  return {
    stream,
    closed,
    text: () => answer.toString('latin1'),
    say: (bytes: Buffer) => stream.write(bytes),
  }
}
const count = async () => {
  const { rows } = await neighbour.query<{ n: number }>('select count(*)::int as n from lines')
  return rows[0]?.n
}
const begun = query(`begin; insert into lines values ('half')`)
const ready = (state: string) => `Z\u0000\u0000\u0000\u0005${state}`

test.each([
  ['a message that nobody knows', Buffer.from('!\u0000\u0000\u0000\u0008oops')],
  ['a length below the least', Buffer.from([0x51, 0, 0, 0, 1, 0])],
  ['a length beyond all bounds', Buffer.from([0x51, 0x7f, 0xff, 0xff, 0xff])],
  ['a message of the server', Buffer.from([0x5a, 0, 0, 0, 5, 0x49])],
])('%s within a transaction ends its client, and the transaction with it', async (_what, bytes) => {
  const client = await rude()
  client.say(begun)
  await expect.poll(client.text).toContain(ready('T'))
  client.say(bytes)
  await client.closed
  expect(client.text()).toContain('C08P01')
  expect(await count()).toBe(0)
})

test('one that vanishes in a COPY leaves nothing of it', async () => {
  const client = await rude()
  client.say(query('copy lines from stdin'))
  await expect.poll(client.text).toContain('G\u0000\u0000\u0000')
  client.say(message('d', Buffer.from('one\ntwo\n')))
  client.stream.destroy()
  expect(await count()).toBe(0)
})

test('one that stops reading holds up its own connection, and no longer than it is there', async () => {
  const client = await rude()
  client.stream.pause()
  client.say(query(`select repeat('x', 1000) from generate_series(1, 100000)`))
  const waits = count()
  const isStuck = async () => {
    const { rows } = await pooler.admin.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where wait_event = 'ClientWrite' and query like 'select repeat%'`,
    )
    return rows[0]?.n
  }
  await expect.poll(isStuck).toBe(1)
  client.stream.destroy()
  expect(await waits).toBe(0)
  await expect.poll(isStuck).toBe(0)
})

test('many messages in one piece, and one message in many, are answered in order', async () => {
  const client = await rude()
  const parts = ['a', 'b', 'c'].flatMap((text) => [
    message('P', Buffer.from(`s${text}\0select '${text}'::text || $1\0\0\0`)),
    message('B', Buffer.from(`\0s${text}\0\0\0\0\x01\0\0\0\x011\0\0`, 'latin1')),
    message('E', Buffer.from('\0\0\0\0\0')),
    message('S', Buffer.alloc(0)),
  ])
  const whole = Buffer.concat(parts)
  client.say(whole)
  const rows = () => [...client.text().matchAll(/([abc]1)C/g)].map(([, row]) => row)
  await expect.poll(rows).toEqual(['a1', 'b1', 'c1'])
  // The names of statements are each client's own.
  const again = await rude()
  again.stream.setNoDelay(true)
  for (const byte of whole) again.say(Buffer.from([byte]))
  await expect
    .poll(() => [...again.text().matchAll(/([abc]1)C/g)].map(([, row]) => row))
    .toEqual(['a1', 'b1', 'c1'])
  for (const one of [client, again]) one.stream.destroy()
})
