import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

export type Received = {
  url: string
  method: string
  headers: IncomingMessage['headers']
  /** As it came, and as it was meant. */
  bytes: number
  body: Buffer
}
/** What a receiver does with a request; it took it all the same. */
type Answer = (request: Received, response: ServerResponse) => void

const fine: Answer = (_, response) => void response.end('{}')

/** A server that takes what drains send, on an address of this machine. */
export async function startReceiver(host = '127.0.0.1') {
  const received: Received[] = []
  let answer = fine
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const raw = Buffer.concat(parts)
      const { url = '', method = '', headers } = request
      const body = headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw
      const taken = { url, method, headers, bytes: raw.length, body }
      received.push(taken)
      answer(taken, response)
    })
  })
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on TCP
  return {
    url: `http://${host}:${port}`,
    received,
    /** From now on; `undefined`: everything is fine. */
    answers(next: Answer = fine): void {
      answer = next
    },
    /** Of webhooks: ids of entries in the order in which they came. */
    ids: (): string[] => received.flatMap(idsOf),
    async close(): Promise<void> {
      if (!server.listening) return
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>

export const eventsOf = ({ body }: Received) =>
  JSON.parse(body.toString()) as { id: string; event_message: string; source: string }[]
export const idsOf = (received: Received): string[] => eventsOf(received).map(({ id }) => id)
