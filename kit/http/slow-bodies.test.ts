import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { limitSlowBodies } from './slow-bodies.ts'

let server: Server
let socket: Socket | undefined
afterEach(() => {
  socket?.destroy()
  server.closeAllConnections()
  server.close()
})

const pace = { graceMs: 200, bytesPerSecond: 1000, lookMs: 20 }

/** Reads whole bodies and answers with how long they were. */
async function start(isExempt?: () => boolean): Promise<number> {
  server = createServer((request, response) => {
    let size = 0
    request.on('data', (part: Buffer) => (size += part.length))
    request.on('end', () => response.end(String(size)))
    // Who is cut off has its answer from elsewhere.
    request.on('error', () => undefined)
  })
  limitSlowBodies(server, isExempt ? { ...pace, isExempt } : pace)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Sends `piece` again and again, until `bytes` have gone or nobody listens any more; the answer as it came. */
async function trickle(port: number, head: string, piece: string, everyMs: number, bytes: number) {
  const client = connect(port, '127.0.0.1')
  socket = client
  let answer = ''
  client.on('data', (part: Buffer) => (answer += part.toString()))
  client.on('error', () => undefined)
  const closed = once(client, 'close')
  client.write(`POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${head}\r\n\r\n`)
  let sent = 0
  const timer = setInterval(() => {
    if (sent >= bytes || client.destroyed) return clearInterval(timer)
    client.write(piece)
    sent += 1
  }, everyMs)
  await closed
  clearInterval(timer)
  return answer
}

test('a body that trickles is refused and its connection ended', async () => {
  const port = await start()
  const answer = await trickle(port, 'content-length: 100000', 'x', 10, Infinity)
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(answer).toContain('"code":"request_timeout"')
})

test('so is one in chunks', async () => {
  const port = await start()
  const answer = await trickle(port, 'transfer-encoding: chunked', '1\r\nx\r\n', 10, Infinity)
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
})

test('a body that goes on at a fair pace may take longer', async () => {
  const port = await start()
  const answer = await trickle(port, 'content-length: 40000', 'x'.repeat(1000), 10, 40)
  expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*40000$/)
})

test('who is exempt may be as slow as it likes', async () => {
  const port = await start(() => true)
  const answer = await trickle(port, 'content-length: 40', 'x', 10, 40)
  expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*40$/)
})
