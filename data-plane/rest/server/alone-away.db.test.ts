import { once } from 'node:events'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPlainDatabase, startAlone, type PlainDatabase } from '../../testing/rest/alone.ts'
import { freePort } from '#kit/testing/free-port'

let plain: PlainDatabase
beforeAll(async () => {
  plain = await createPlainDatabase(
    ({ anon }) => `create table books (id int primary key); grant select on books to ${anon}`,
  )
})
afterAll(() => plain.drop())

/** Passes connections on to the database, as long as it is open. */
async function openRelay(port: number, to: number): Promise<() => Promise<void>> {
  const sockets = new Set<Socket>()
  const relay: Server = createServer((socket) => {
    const database = createConnection(to, '127.0.0.1')
    for (const [end, other] of [
      [socket, database],
      [database, socket],
    ] as const) {
      sockets.add(end)
      end.on('error', () => other.destroy())
      end.on('close', () => other.destroy())
      end.pipe(other)
    }
  })
  relay.listen(port, '127.0.0.1')
  await once(relay, 'listening')
  return async () => {
    for (const socket of sockets) socket.destroy()
    relay.close()
    await once(relay, 'close')
  }
}

test('a database that is away is 503, before the first request and after it, and comes back by itself', async () => {
  const port = await freePort()
  const uri = new URL(plain.uri)
  const to = Number(uri.port)
  uri.port = String(port)
  const { ask, close } = await startAlone({ ...plain, uri: uri.href })
  const away = await ask('GET /books')
  expect(away).toMatchObject({ status: 503, json: { code: 'PGRST001' } })
  expect(away.headers.get('retry-after')).toBe('1')
  for (let round = 0; round < 2; round++) {
    const shut = await openRelay(port, to)
    await expect.poll(async () => (await ask('GET /books')).status).toBe(200)
    await shut()
    await expect.poll(async () => (await ask('GET /books')).status).toBe(503)
  }
  await close()
})

test('a login that is refused is 503 too', async () => {
  const uri = new URL(plain.uri)
  uri.password = 'wrong'
  const { ask, close } = await startAlone({ ...plain, uri: uri.href })
  expect(await ask('GET /books')).toMatchObject({ status: 503, json: { code: 'PGRST001' } })
  await close()
})
