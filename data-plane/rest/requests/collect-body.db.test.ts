import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDataPlane, type TestDataPlane } from '../../testing/data-plane.ts'

/** Bodies as bytes on the wire: announced or not, in small parts, too large, and broken off. */
let plane: TestDataPlane
beforeAll(async () => {
  plane = await startDataPlane(`
    create table notes (id int primary key, text text);
    grant all on notes to service_role;
    create function sum_of(bytea) returns text language sql immutable return encode(sha256($1), 'hex');
  `)
})
afterAll(() => plane.close())

const limit = 32 * 1024 * 1024

async function open(path: string, type: string, headers: readonly string[]) {
  const { hostname, port, pathname } = new URL(`${plane.url}/rest/v1/${path}`)
  const socket = connect(Number(port), hostname)
  // A refusal may end the connection while a body is still being sent.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const key = plane.project.serviceKey
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `host: ${hostname}`,
    `apikey: ${key}`,
    `authorization: Bearer ${key}`,
    `content-type: ${type}`,
    'connection: close',
    ...headers,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const parts: Buffer[] = []
  socket.on('data', (part: Buffer) => parts.push(part))
  return {
    write: (bytes: Buffer | string) => new Promise((done) => socket.write(bytes, done)),
    end: () => socket.destroy(),
    answer: once(socket, 'close').then(() => Buffer.concat(parts).toString()),
  }
}

const bytes = Buffer.alloc(1_300_000, 'plinth ')
const sum = createHash('sha256').update(bytes).digest('hex')

test.each([1000, 64 * 1024, 64 * 1024 + 1, 700_000, 1_300_000])(
  'in parts of %i bytes',
  async (size) => {
    const announced = await open('rpc/sum_of', 'application/octet-stream', [
      `content-length: ${bytes.length}`,
    ])
    const chunked = await open('rpc/sum_of', 'application/octet-stream', [
      'transfer-encoding: chunked',
    ])
    for (let at = 0; at < bytes.length; at += size) {
      const part = bytes.subarray(at, at + size)
      await announced.write(part)
      await chunked.write(`${part.length.toString(16)}\r\n`)
      await chunked.write(part)
      await chunked.write('\r\n')
    }
    await chunked.write('0\r\n\r\n')
    for (const answer of [await announced.answer, await chunked.answer]) {
      expect(answer).toMatch(/^HTTP\/1.1 200 /)
      expect(answer).toContain(sum)
    }
  },
)

test('an object of megabytes is a row as it came', async () => {
  const text = 'ü'.repeat(2_000_000)
  const body = Buffer.from(JSON.stringify({ id: 1, text }))
  const request = await open('notes?select=id,text', 'application/json', [
    `content-length: ${body.length}`,
    'prefer: return=representation',
  ])
  await request.write(body)
  expect((await request.answer).includes(text)).toBe(true)
})

test('one that is announced as too large is refused before it comes', async () => {
  const request = await open('notes', 'application/json', [`content-length: ${limit + 1}`])
  expect(await request.answer).toMatch(/^HTTP\/1.1 413 [^]*"PGRST102"/)
})

test('one that turns out to be too large is refused', async () => {
  const request = await open('notes', 'application/json', ['transfer-encoding: chunked'])
  const part = Buffer.alloc(1024 * 1024, ' ')
  for (let sent = 0; sent <= limit; sent += part.length) {
    void request.write(`${part.length.toString(16)}\r\n`)
    void request.write(part)
    void request.write('\r\n')
  }
  expect(await request.answer).toMatch(/^HTTP\/1.1 413 [^]*"PGRST102"/)
})

test('one that breaks off changes nothing', async () => {
  const request = await open('notes', 'application/json', ['content-length: 1000'])
  await request.write('{"id":77,"text":"half')
  request.end()
  await request.answer
  const rows = await plane.sql('select count(*)::int as n from notes where id = 77')
  expect(rows).toEqual([{ n: 0 }])
})
