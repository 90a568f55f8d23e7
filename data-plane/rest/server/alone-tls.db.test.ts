import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket, createSecureContext } from 'node:tls'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestAuthority } from '#kit/testing/authority'
import { createPlainDatabase, startAlone, type PlainDatabase } from '../../testing/rest/alone.ts'

let plain: PlainDatabase
let folder: string
let certificate: { key: string; certificate: string }
beforeAll(async () => {
  plain = await createPlainDatabase(
    ({ anon }) => `create table books (id int primary key); grant select on books to ${anon}`,
  )
  folder = await mkdtemp(join(tmpdir(), 'plinth-tls-'))
  const authority = await createTestAuthority()
  certificate = await authority.issue(['localhost'])
  await writeFile(join(folder, 'ca.crt'), authority.certificate)
  await writeFile(join(folder, 'other.crt'), (await createTestAuthority()).certificate)
})
afterAll(async () => {
  await plain.drop()
  await rm(folder, { recursive: true, force: true })
})

/** The whole first message of a client that asks for TLS (PostgreSQL protocol, "SSLRequest"). */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/** What a server says that takes no such connection. */
function refusal(): Buffer {
  const fields = 'SFATAL\0VFATAL\0C28000\0Mno pg_hba.conf entry for host, no encryption\0\0'
  const length = Buffer.alloc(4)
  length.writeInt32BE(4 + fields.length)
  return Buffer.concat([Buffer.from('E'), length, Buffer.from(fields)])
}

type Serves = 'plain' | 'both' | 'encrypted'

/** Passes connections on to the database, encrypted or not; counts those that came to an end as each. */
async function openDoor(serves: Serves) {
  const came = { plain: 0, encrypted: 0 }
  const sockets = new Set<Socket>()
  const door = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('data', (first) => void answer(socket, first))
  }).listen(0, '127.0.0.1')
  await once(door, 'listening')

  async function answer(socket: Socket, first: Buffer): Promise<void> {
    if (!first.equals(sslRequest)) {
      if (serves === 'encrypted') return void socket.end(refusal())
      came.plain += 1
      return pass(socket, first)
    }
    if (serves === 'plain') return void socket.end('N')
    const shown = new TLSSocket(socket, {
      isServer: true,
      secureContext: createSecureContext({ key: certificate.key, cert: certificate.certificate }),
    })
    shown.on('error', () => socket.destroy())
    socket.write('S')
    await once(shown, 'secure').catch(() => undefined)
    came.encrypted += 1
    pass(shown)
  }

  function pass(socket: Socket, first?: Buffer): void {
    const database = createConnection(Number(new URL(plain.uri).port), '127.0.0.1')
    sockets.add(database)
    for (const [end, other] of [
      [socket, database],
      [database, socket],
    ] as const) {
      end.on('error', () => other.destroy())
      end.on('close', () => other.destroy())
      end.pipe(other)
    }
    if (first) database.write(first)
  }

  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    door.close()
    await once(door, 'close')
  })
  const address = door.address()
  if (address === null || typeof address === 'string') throw new Error('It listens on a port')
  return { came, port: address.port }
}

/** What the data API answers over a server of this kind, asked as `sslmode` says. */
async function ask(serves: Serves, parameters: string) {
  const door = await openDoor(serves)
  const uri = new URL(plain.uri)
  uri.host = `localhost:${door.port}`
  uri.search = parameters
  const alone = await startAlone({ ...plain, uri: uri.href })
  onTestFinished(() => alone.close())
  const { status } = await alone.ask('GET /books')
  return { status, ways: Object.entries(door.came).flatMap(([way, n]) => (n > 0 ? [way] : [])) }
}

test.each<[Serves, string, string[]]>([
  ['plain', '', ['plain']],
  ['both', '', ['encrypted']],
  ['encrypted', '', ['encrypted']],
  ['plain', 'sslmode=prefer', ['plain']],
  ['both', 'sslmode=allow', ['plain']],
  ['encrypted', 'sslmode=allow', ['encrypted']],
  ['both', 'sslmode=disable', ['plain']],
  ['both', 'sslmode=require', ['encrypted']],
])('a server that takes %s, asked by "%s", is entered %s', async (serves, parameters, ways) => {
  expect(await ask(serves, parameters)).toEqual({ status: 200, ways })
})

test.each([
  ['sslmode=verify-ca', 200],
  ['sslmode=verify-full', 200],
  ['sslmode=require', 200],
])('a certificate that is signed by whom %s names', async (mode, status) => {
  const answer = await ask('both', `${mode}&sslrootcert=${folder}/ca.crt`)
  expect(answer).toEqual({ status, ways: ['encrypted'] })
})

test.each<[Serves, string]>([
  ['plain', 'sslmode=require'],
  ['encrypted', 'sslmode=disable'],
  ['both', 'sslmode=verify-full'],
])('nobody is asked in another way than was told: %s by %s is 503', async (serves, parameters) => {
  expect((await ask(serves, parameters)).status).toBe(503)
})

test('a certificate of somebody else is refused, and nothing is asked in the open after it', async () => {
  for (const mode of ['verify-ca', 'verify-full', 'require']) {
    const { status, ways } = await ask('both', `sslmode=${mode}&sslrootcert=${folder}/other.crt`)
    expect({ status, plain: ways.includes('plain') }).toEqual({ status: 503, plain: false })
  }
})
