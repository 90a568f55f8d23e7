import {
  createServer,
  request,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import {
  connect,
  createServer as createTcpServer,
  type Server as TcpServer,
  type Socket,
} from 'node:net'
import { isNoAnswer, type Backends } from './backends.ts'

const listening = <S extends Server | TcpServer>(server: S, host: string, port: number) =>
  new Promise<S>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })

/** The chain of addresses that a request came by, with the one that we see at its end: only that one is certain. */
const forwardedFor = ({ headers, socket }: IncomingMessage): string =>
  [headers['x-forwarded-for'], socket.remoteAddress].flat().filter(Boolean).join(', ')

/** What the program says of its own connection to us is not for who asked. */
const ownHeaders = ({ rawHeaders }: IncomingMessage): string[] =>
  rawHeaders.filter((_, i, all) => !/^(?:connection|keep-alive)$/i.test(all[i - (i % 2)] ?? ''))

/** A request that changes nothing, and has nothing that was sent on, can be made again elsewhere. */
const isRepeatable = ({ method, headers }: IncomingMessage) =>
  (method === 'GET' || method === 'HEAD') &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined

/**
 * Hands each request to the next program that answers. One that cannot be reached is left out for a moment and another one asked; a
 * request whose program goes away meanwhile is answered with 502, unless it can be made again.
 */
export async function balanceHttp(
  backends: Backends,
  at: { host: string; port: number },
): Promise<{ close(): void }> {
  const sockets = new Set<Socket>()
  function forward(incoming: IncomingMessage, answer: ServerResponse, left: number): void {
    const port = backends.next()
    const onward = request({
      host: '127.0.0.1',
      port,
      method: incoming.method,
      path: incoming.url,
      headers: { ...incoming.headers, 'x-forwarded-for': forwardedFor(incoming) },
      // Each has a connection of its own: one that is kept may end just when the next request is on its way.
      agent: false,
    })
    let begun = false
    onward.on('socket', (socket) =>
      socket.once('connect', () => {
        begun = true
        incoming.pipe(onward)
      }),
    )
    onward.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.statusMessage, ownHeaders(response))
      response.pipe(answer)
      response.on('error', () => answer.destroy())
    })
    onward.on('error', (error) => {
      if (isNoAnswer(error)) backends.leaveOut(port)
      if (answer.headersSent) answer.destroy()
      else if (left > 0 && (!begun || isRepeatable(incoming))) forward(incoming, answer, left - 1)
      else answer.writeHead(502, { 'content-type': 'application/json' }).end(noAnswer)
    })
    answer.once('close', () => onward.destroy())
  }

  function upgrade(incoming: IncomingMessage, client: Socket, head: Buffer, left: number): void {
    const port = backends.next()
    const onward = connect(port, '127.0.0.1')
    let begun = false
    onward.once('connect', () => {
      begun = true
      const lines = incoming.rawHeaders.flatMap((name, i, all) =>
        i % 2 === 0 && name.toLowerCase() !== 'x-forwarded-for' ? [`${name}: ${all[i + 1]}`] : [],
      )
      const first = `${incoming.method} ${incoming.url} HTTP/1.1`
      const address = `X-Forwarded-For: ${forwardedFor(incoming)}`
      onward.write(`${[first, ...lines, address].join('\r\n')}\r\n\r\n`)
      onward.write(head)
      client.pipe(onward).pipe(client)
    })
    onward.on('error', () => {
      if (!begun) backends.leaveOut(port)
      if (!begun && left > 0) upgrade(incoming, client, head, left - 1)
      else client.destroy()
    })
    onward.on('close', () => begun && client.destroy())
    client.on('error', () => onward.destroy())
    client.on('close', () => onward.destroy())
  }

  const server = createServer((incoming, answer) => forward(incoming, answer, backends.count))
  server.on('upgrade', (incoming, socket, head) =>
    upgrade(incoming, socket as Socket, head, backends.count),
  )
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await listening(server, at.host, at.port)
  return {
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Hands each connection to the next program that answers. */
export async function balanceTcp(
  backends: Backends,
  at: { host: string; port: number },
): Promise<{ close(): void }> {
  const sockets = new Set<Socket>()
  function forward(client: Socket, left: number): void {
    const port = backends.next()
    const onward = connect(port, '127.0.0.1')
    let begun = false
    onward.once('connect', () => {
      begun = true
      client.pipe(onward).pipe(client)
    })
    onward.on('error', () => {
      if (!begun) backends.leaveOut(port)
      if (!begun && left > 0) forward(client, left - 1)
      else client.destroy()
    })
    onward.on('close', () => begun && client.destroy())
    client.once('close', () => onward.destroy())
  }
  const server = createTcpServer((client) => {
    sockets.add(client)
    client.on('error', () => client.destroy())
    client.once('close', () => sockets.delete(client))
    forward(client, backends.count)
  })
  await listening(server, at.host, at.port)
  return {
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const noAnswer = JSON.stringify({ code: 'service_unavailable', message: 'No program answers' })
