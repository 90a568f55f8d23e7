import { once } from 'node:events'
import { request as askPlain, type IncomingMessage } from 'node:http'
import { request, type RequestOptions as AnyOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createSecureContext, connect, type TLSSocket } from 'node:tls'
import { fastify } from 'fastify'
import { trustDoor } from '#kit/http/front-door'
import { silentLog } from '#kit/log'
import { createTestAuthority } from '#kit/testing/authority'
import { createDashboardDoor } from '../../gateway/https/dashboard-door.ts'
import { createHttpsServer } from '../../gateway/https/https-server.ts'
import { createHttpServer } from '../../http-server.ts'

type RequestOptions = Omit<AnyOptions, 'headers'> & { headers?: Record<string, string> }

export const doorHost = 'plinth.example.com'
export const projectsHost = 'api.example.com'
export const doorToken = 'a token that only our own programs know'

/** A program behind the door, which says what it was asked and streams what it gets back. */
async function startBehind() {
  const app = fastify({ trustProxy: [], bodyLimit: 64 * 1024 * 1024 })
  const seen: { method: string; url: string; headers: IncomingMessage['headers'] }[] = []
  const gone: string[] = []
  trustDoor(app, doorToken)
  app.addHook('onRequest', async ({ method, url, raw }, reply) => {
    seen.push({ method, url, headers: raw.headers })
    raw.socket.once('close', () => (!raw.complete || !reply.raw.writableEnded ? gone.push(url) : 0))
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  app.all('/who', async ({ ip, protocol, host }) => ({ ip, protocol, host }))
  app.post('/echo', (asked, reply) => reply.type('text/plain').send(asked.raw))
  app.post('/refuses', async (_asked, reply) => {
    void reply.header('connection', 'close')
    return reply.status(413).send({ code: 'body_too_large' })
  })
  app.get('/events', (_asked, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'set-cookie': ['a=1', 'b=2'] })
    reply.raw.write('data: first\n\n')
  })
  app.get('/breaks', (_asked, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, { 'content-length': '1000' })
    reply.raw.write('half', () => reply.raw.destroy())
  })
  app.get('/internal/secret', async () => 'secret')
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  return { address, seen, gone, close: () => app.close() }
}

/** The HTTPS port of a data plane, and behind it that program under the name of the dashboard. */
export async function startFrontDoor({ handshakeMs }: { handshakeMs?: number } = {}) {
  const authority = await createTestAuthority()
  const behind = await startBehind()
  const contexts = new Map<string, ReturnType<typeof createSecureContext>>()
  for (const name of [doorHost, projectsHost]) {
    const { key, certificate: cert } = await authority.issue([name])
    contexts.set(name, createSecureContext({ key, cert }))
  }
  const projects = createHttpServer({ rewriteUrl: ({ url = '/' }) => url, log: silentLog })
  projects.get('/who', async () => ({ projects: true }))
  await projects.ready()
  const target = { hostname: doorHost, controlPlaneUrl: behind.address, internalToken: doorToken }
  const { server } = createHttpsServer(projects, {
    contextOf: (name) => contexts.get(name),
    door: createDashboardDoor(target, silentLog),
    handshakeMs,
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const ca = authority.certificate
  const at = { host: '127.0.0.1', port, ca }

  /** A request that goes on: its answer can be read, and it can be broken off. */
  const begin = (path: string, options: RequestOptions = {}) =>
    request({
      ...at,
      servername: doorHost,
      path,
      agent: false,
      ...options,
      headers: { host: doorHost, ...options.headers },
    })

  return {
    behind,
    port,
    begin,
    async ask(path: string, options: RequestOptions = {}, body?: Buffer | string) {
      const asking = begin(path, options)
      asking.end(body)
      const [answer] = (await once(asking, 'response')) as [IncomingMessage]
      const { statusCode: status, headers } = answer
      return { status, headers, text: await textOf(answer) }
    },
    /** What the program says to who comes to it by itself. */
    askBehind: (path: string, headers: Record<string, string>) =>
      new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
        askPlain(`${behind.address}${path}`, { headers }, (answer) => {
          textOf(answer).then((text) => resolve({ status: answer.statusCode, text }), reject)
        })
          .on('error', reject)
          .end()
      }),
    async shake(servername = doorHost): Promise<TLSSocket> {
      const socket = connect({ ...at, servername })
      await once(socket, 'secureConnect')
      return socket
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await projects.close()
      await behind.close()
    },
  }
}
export type FrontDoor = Awaited<ReturnType<typeof startFrontDoor>>

export async function textOf(answer: AsyncIterable<Buffer | string>): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(Buffer.from(part))
  return Buffer.concat(parts).toString()
}
