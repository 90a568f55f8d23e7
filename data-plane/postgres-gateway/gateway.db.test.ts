import { Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { Readable, Writable } from 'node:stream'
import { Client } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#kit/testing/postgres'
import { raw, startGateway, type TestGateway } from '../testing/postgres-gateway.ts'

let database: TestDatabase
let at: TestGateway
beforeAll(async () => {
  database = await createTestDatabase()
  at = await startGateway(database)
})
afterAll(async () => {
  await at.close()
  await database.drop()
})

const config = () => ({ ...database.configFor('postgres'), host: '127.0.0.1', port: at.port })
async function using<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(config())
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
const ended = (count: number) => expect.poll(() => at.of('ended').length).toBe(count)

test('the port is open', () => {
  expect(at.states).toEqual([
    { ref: expect.any(String), port: at.port, networks: null, ssl_enforced: false, problem: null },
  ])
})

test('how many are connected, and what they have sent and got, is known while they are and afterwards', async () => {
  const before = at.figures()
  await using(async (client) => {
    expect(at.figures().connections).toBe(before.connections + 1)
    await client.query(`select repeat('x', 100000), $1::text`, ['y'.repeat(50_000)])
    const during = at.figures()
    expect(during.sent - before.sent).toBeGreaterThan(150_000)
    expect(during.received - before.received).toBeGreaterThan(50_000)
    expect(during.received - before.received).toBeLessThan(60_000)
  })
  await expect.poll(() => at.figures().connections).toBe(before.connections)
  expect(at.figures().sent - before.sent).toBeGreaterThan(150_000)
})

test('megabytes go in and come out as they are, and are counted to the byte', async () => {
  const before = at.of('ended').length
  const sent = at.counts.get('egress_database') ?? 0
  const line = `${'x'.repeat(1023)}\n`
  const lines = 50 * 1024
  let read = 0
  let written = 0
  await using(async (client) => {
    await client.query('create temp table lines (line text)')
    const into = client.query(copyFrom('copy lines from stdin'))
    await pipeline(
      Readable.from(
        (function* () {
          for (let at = 0; at < lines; at += 64) yield Buffer.from(line.repeat(64))
        })(),
      ),
      into,
    )
    const { rows } = await client.query<{ sum: string }>(
      'select sum(length(line))::text as sum from lines',
    )
    expect(rows).toEqual([{ sum: String(1023 * lines) }])
    const out = client.query(copyTo('copy lines to stdout'))
    await pipeline(
      out,
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          written += chunk.length
          done()
        },
      }),
    )
    // What this very client has read from its socket.
    const { stream } = client.connection
    if (!(stream instanceof Socket)) throw new Error('It is not connected')
    await client.query('select 1')
    read = stream.bytesRead
  })
  expect(written).toBe(1024 * lines)
  await ended(before + 1)
  expect((at.counts.get('egress_database') ?? 0) - sent).toBe(read)
})

test('a download counts while it lasts, and no more than the client takes is read', async () => {
  const client = new Client(config())
  // It is broken off at the end.
  client.on('error', () => undefined)
  await client.connect()
  const { stream } = client.connection
  const before = at.counts.get('egress_database') ?? 0
  const out = client.query(
    copyTo(`copy (select repeat('x', 1000) from generate_series(1, 100000)) to stdout`),
  )
  out.on('error', () => undefined)
  // Nobody reads: the socket is as full as it gets, and the server waits.
  out.pause()
  stream.pause()
  const sent = () => {
    at.look()
    return (at.counts.get('egress_database') ?? 0) - before
  }
  await expect.poll(sent).toBeGreaterThan(50_000)
  expect(sent()).toBeLessThan(90_000_000)
  stream.destroy()
  await expect.poll(() => at.of('ended').length).toBeGreaterThan(1)
})

test('a query is cancelled by its client', async () => {
  await using(async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const query = client.query('select pg_sleep(60)')
    const refused = expect(query).rejects.toMatchObject({ code: '57014' })
    const { processID, secretKey } = client as unknown as { processID: number; secretKey: number }
    expect(processID).toBe(rows[0]?.pid)
    // The server takes it once the query runs; before that there is nothing to cancel.
    await using(async (other) => {
      const isRunning = async () =>
        (
          await other.query(
            `select 1 from pg_stat_activity where pid = $1 and wait_event = 'PgSleep'`,
            [processID],
          )
        ).rowCount
      await expect.poll(isRunning).toBe(1)
    })
    const request = Buffer.alloc(16)
    for (const [index, word] of [16, 80_877_102, processID, secretKey].entries())
      request.writeInt32BE(word, index * 4)
    expect(await raw(at.port, request).ended).toBe('')
    await refused
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })
})

test('encryption is declined as the server declines it, and the connection goes on', async () => {
  const { user, password, database: name, port } = config()
  const words = [8, 80_877_104, 8, 80_877_103]
  for (const code of words.filter((word) => word > 8)) {
    const request = Buffer.alloc(8)
    request.writeInt32BE(8, 0)
    request.writeInt32BE(code, 4)
    const { socket, answer } = raw(port, request)
    await expect.poll(answer).toBe('N')
    socket.destroy()
  }
  const asked = { user, password, database: name, host: '127.0.0.1', port, ssl: true }
  await expect(new Client(asked).connect()).rejects.toThrow(/does not support SSL/)
})

test('who connects is told, with what they say of themselves and never a password', async () => {
  at.events.length = 0
  const client = new Client({ ...config(), application_name: 'report of the month' })
  await client.connect()
  const { rows } = await client.query<{ pid: number; address: string | null }>(
    'select pg_backend_pid() as pid, client_addr::text as address from pg_stat_activity where pid = pg_backend_pid()',
  )
  expect(rows).toEqual([{ pid: expect.any(Number), address: null }])
  await client.end()
  await ended(1)
  const startup = {
    user: 'postgres',
    database: database.name,
    applicationName: 'report of the month',
  }
  const address = '127.0.0.1'
  const processId = rows[0]?.pid
  expect(at.events).toMatchObject([
    { kind: 'opened' },
    { kind: 'connected', address, startup, processId },
    { kind: 'ended', address, startup, processId },
  ])
  const wrong = new Client({ ...config(), password: 'not this one' })
  await expect(wrong.connect()).rejects.toMatchObject({ code: '28P01' })
  expect(at.of('refused')).toMatchObject([
    { by: 'server', startup: { user: 'postgres' }, refusal: { code: '28P01' } },
  ])
  expect(JSON.stringify(at.events)).not.toContain(config().password)
  expect(JSON.stringify(at.events)).not.toContain('not this one')
})
