import {
  createServer,
  request as httpRequest,
  ServerResponse,
  type IncomingMessage,
} from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Door } from './database-door.ts'
import { headersOf } from './forwarded-headers.ts'

const isCall = /^\/[a-z]+\/functions\/v1\//

/**
 * Requests that change the protocol go through the same routes as all others, as long as they are for a function. Others
 * who listen for such requests take the rest; what nobody takes is refused.
 */
export function serveUpgrades(
  app: FastifyInstance,
  rewrite: ((request: IncomingMessage) => string) | undefined,
): void {
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!isCall.test(rewrite?.(request) ?? request.url ?? '')) {
      if (app.server.listenerCount('upgrade') === 1) {
        socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
      }
      return
    }
    socket.on('error', () => socket.destroy())
    if (head.length > 0) socket.unshift(head)
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    // Node gives the socket of the connection here, and types it as the stream that it is used as.
    response.assignSocket(socket as IncomingMessage['socket'])
    // An answer that changes nothing is the last word on this connection.
    response.once('finish', () => socket.end())
    app.routing(request, response)
  })
}

/**
 * A server at a path on which the functions of one project reach it, and nothing else: requests come as to a proxy, with
 * whole addresses.
 */
export function openGateway(app: FastifyInstance, ref: string, path: string): Promise<Door> {
  const server = createServer((request, response) => {
    const target = (request.url ?? '/').replace(/^https?:\/\/[^/]*/, '')
    if (!target.startsWith(`/${ref}/`)) {
      response.writeHead(404).end()
      return
    }
    request.url = target
    delete request.headers.host
    app.routing(request, response)
  })
  // Whoever looks where a request comes from sees this machine.
  server.on('connection', (socket) =>
    Object.defineProperty(socket, 'remoteAddress', { value: '127.0.0.1' }),
  )
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () =>
      resolve({
        close() {
          server.close()
          server.closeAllConnections()
        },
      }),
    )
  })
}

type Change = {
  request: FastifyRequest
  reply: FastifyReply
  socketPath: string
  target: string
  onBroken: () => void
  /** The function has agreed. */
  onChanged: (status: number) => void
  /** It answers as to any other request. */
  onAnswer: (answer: IncomingMessage) => void
  onEnd: (status: number) => void
}

/** Sends a request that changes the protocol on to a worker, and joins the two ends when that agrees. */
export function changeProtocol(change: Change): { destroy(): void } {
  const { request, reply, socketPath, target } = change
  const { raw } = request
  const upstream = httpRequest({
    socketPath,
    agent: false,
    method: raw.method,
    path: target,
    headers: { ...headersOf(request), connection: 'upgrade', upgrade: raw.headers.upgrade },
  })
  upstream.once('upgrade', (answer, socket, head) => {
    const status = answer.statusCode ?? 101
    change.onChanged(status)
    reply.hijack()
    join(raw.socket, socket, head, answer)
    socket.once('close', () => change.onEnd(status))
  })
  upstream.once('response', change.onAnswer)
  upstream.on('error', change.onBroken)
  upstream.end()
  return upstream
}

/** Two sockets as one, behind the answer that changes the protocol. */
function join(client: Duplex, worker: Duplex, head: Buffer, answer: IncomingMessage): void {
  const lines = [`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}`]
  for (let at = 0; at < answer.rawHeaders.length; at += 2) {
    lines.push(`${answer.rawHeaders[at]}: ${answer.rawHeaders[at + 1]}`)
  }
  client.write(`${lines.join('\r\n')}\r\n\r\n`)
  if (head.length > 0) client.write(head)
  client.pipe(worker).pipe(client)
  const both = () => {
    client.destroy()
    worker.destroy()
  }
  for (const socket of [client, worker]) socket.once('error', both).once('close', both)
}
