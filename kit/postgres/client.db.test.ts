import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { selfSigned } from '../network/self-signed.ts'
import { attacks, message } from '../testing/hostile-database.ts'
import { createTestDatabase } from '../testing/postgres.ts'
import { Client, Pool, withClient } from './client.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A server that is asked for TLS, says yes, and then does to the first message what it is told. */
async function tlsServer(greet: (socket: Socket) => void): Promise<number> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const der = selfSigned({ publicKey, privateKey, commonName: 'localhost' })
  const secureContext = createSecureContext({
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: `-----BEGIN CERTIFICATE-----\n${der}\n-----END CERTIFICATE-----\n`,
  })
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', () => {
      socket.write('S')
      const inner = new TLSSocket(socket, { isServer: true, secureContext })
      inner.on('error', () => inner.destroy())
      inner.once('data', () => greet(inner))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => new Promise((done) => server.close(done)))
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

const welcome = Buffer.concat([message('R', '\0\0\0\0'), message('Z', 'I')])

test('what comes through TLS is watched as well', async () => {
  const port = await tlsServer((socket) => {
    socket.write(welcome)
    socket.once('data', () => attacks.tooLarge['a value of 1 GB']?.(socket))
  })
  const config = {
    host: '127.0.0.1',
    port,
    user: 'a',
    password: 'b',
    ssl: { rejectUnauthorized: false },
  }
  await expect(withClient(config, (client) => client.query('select 1'))).rejects.toMatchObject({
    code: '54000',
    message: 'A value is larger than 64 MiB',
  })
})

test('a server that greets with anything else is no server', async () => {
  for (const greeting of [
    message('q', 'x'),
    message('R', '\0\0\0\u0063'),
    message('R', '', 2 ** 30),
  ]) {
    const port = await tlsServer((socket) => socket.write(greeting))
    const config = { host: '127.0.0.1', port, user: 'a', ssl: { rejectUnauthorized: false } }
    await expect(new Client(config).connect()).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:08P01|54000)$/),
    })
  }
})

test('a connection that is lost while it is lent out fails its query and nothing else', async () => {
  const database = await createTestDatabase()
  ends.push(() => database.drop())
  const pool = new Pool({ ...database.configFor('postgres'), max: 1 })
  ends.push(() => pool.end())
  const lent = await pool.connect()
  const { rows } = await lent.query<{ pid: number }>('select pg_backend_pid() as pid')
  const gone = new Promise<void>((done) => lent.once('end', () => done()))
  await withClient(database.adminConfig, (admin) =>
    admin.query('select pg_terminate_backend($1)', [rows[0]?.pid]),
  )
  await gone
  await expect(lent.query('select 1')).rejects.toThrow('not queryable')
  lent.release()
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('values of any size arrive as they are, beside small ones, texts and nothing', async () => {
  const base = await createTestDatabase()
  ends.push(() => base.drop())
  await withClient(base.configFor('postgres'), async (client) => {
    const sizes = [0, 1, 128 * 1024 - 1, 128 * 1024, 300_001, 12 * 1024 * 1024]
    for (const size of sizes) {
      const bytes = randomBytes(size)
      const text = 'ä'.repeat(size / 2)
      const { rows } = await client.query<Record<string, unknown>>(
        'select sha256($1::bytea) as bytes, $2::text as two, length($3::text) as three, $4::int as four, sha256($5::bytea) as five',
        [bytes, null, text, 7, bytes],
      )
      const sum = createHash('sha256').update(bytes).digest()
      expect(rows, String(size)).toEqual([
        { bytes: sum, two: null, three: text.length, four: 7, five: sum },
      ])
    }
    // A value that is refused fails its query alone.
    await expect(
      client.query('select $1::json', [Buffer.from('x'.repeat(200_000))]),
    ).rejects.toMatchObject({ code: '22P02' })
    const many = await Promise.all(
      sizes.map((size) =>
        client.query<{ n: number }>('select length($1::bytea) as n', [Buffer.alloc(size)]),
      ),
    )
    expect(many.map(({ rows }) => rows[0]?.n)).toEqual(sizes)
  })
})
