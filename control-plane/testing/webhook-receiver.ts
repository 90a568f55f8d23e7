import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = { headers: Record<string, unknown>; body: string }

/** A receiver of webhooks: keeps what comes, and answers with the status that `answers` has next, 200 otherwise. */
export async function startReceiver() {
  const received: Received[] = []
  const answers: number[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (piece) => (body += String(piece)))
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      response.writeHead(answers.shift() ?? 200).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  // A server that listens on a port has an address.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/alerts`,
    received,
    answers,
    end: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>
