import { createServer, type AddressInfo } from 'node:net'
import { Pool } from '#kit/postgres/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestDataPlane } from '../testing/data-plane.ts'
import { accessFor } from './access.ts'
import { sized } from './pool-size.ts'
import { startRealtime } from '../testing/realtime/client.ts'

let plane: TestDataPlane
beforeAll(async () => {
  plane = await startRealtime('')
})
afterAll(() => plane.close())

const reader = { role: 'anon', claims: '{"role":"anon"}', expires: Infinity }
const poolOf = (more: object = {}) => {
  const { host, port, name, servicePassword } = plane.project.database
  const user = 'plinth_realtime'
  return new Pool({ host, port, database: name, user, password: servicePassword, ...more })
}

test('a pool without a free connection says that it is too small, and a larger one answers', async () => {
  const pool = poolOf({ connectionTimeoutMillis: 2000, max: 10 })
  const held = await sized(pool, 1).connect()
  const asked = accessFor(sized(pool, 1), reader, 'room', '{}')
  await expect(asked).rejects.toMatchObject({ code: 'IncreaseConnectionPool' })
  const { broadcast } = await accessFor(sized(pool, null), reader, 'room', '{}')
  expect(broadcast).toEqual({ read: false, write: false })
  held.release()
  await pool.end()
})

test('a database that starts, and one that is not there', async () => {
  // What a server answers everybody before it is ready (the message ErrorResponse of the protocol).
  const fields = Buffer.from('SFATAL\0C57P03\0Mthe database system is starting up\0\0')
  const length = Buffer.alloc(4)
  length.writeInt32BE(fields.length + 4)
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(Buffer.concat([Buffer.from('E'), length, fields])))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on TCP has an address of this shape.
  const { port } = server.address() as AddressInfo
  const starting = poolOf({ host: '127.0.0.1', port })
  const asked = accessFor(starting, reader, 'room', '{}')
  await expect(asked).rejects.toMatchObject({ code: 'InitializingProjectConnection' })
  await starting.end()
  await new Promise((resolve) => server.close(resolve))
  const gone = poolOf({ host: '127.0.0.1', port })
  await expect(accessFor(gone, reader, 'room', '{}')).rejects.toMatchObject({
    code: 'UnableToConnectToProject',
  })
  await gone.end()
})
