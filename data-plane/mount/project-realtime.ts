import { STATUS_CODES, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { ProjectConnection } from '#contract/internal'
import { isBrowser } from '../gateway/browsers.ts'
import { bearerOf } from '../gateway/keys.ts'
import { KeyError, UnavailableError } from '../gateway/problems.ts'
import { peek, TokenError } from '../gateway/tokens.ts'
import type { DataPlaneOptions } from '../options.ts'
import { realtimeEntry } from './log-entries.ts'
import type { Plane } from '../plane.ts'
import type { OpenProject } from '../projects/open-project.ts'
import { broadcastRoutes } from '../realtime/broadcast-routes.ts'
import { createRealtime } from '../realtime/realtime.ts'
import { ChannelRefusal } from '../realtime/refusal.ts'
import { meterRealtime } from '../usage/realtime-usage.ts'
import { usualTiming, type RealtimeEvent, type Reader } from '../realtime/service.ts'

type Options = Pick<DataPlaneOptions, 'realtimeTiming' | 'natsUrl' | 'slotMostLag'>

const socketPath = /^\/([a-z]{20}|default)\/realtime\/v1\/(?:socket\/)?websocket$/

type Shaking = {
  request: IncomingMessage
  socket: Socket
  head: Buffer
  vsn: '1.0.0' | '2.0.0'
  searchParams: URLSearchParams
}

/** Why a socket is not opened. */
class HandshakeError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The realtime service behind the gateway: its sockets, and broadcasts over HTTP. */
export function mountRealtime(plane: Plane, options: Options): void {
  const { app, gateway, projects, open, isOurs, logs, meter, egress, rewriteUrl, log } = plane
  const { realtimeTiming: timing, natsUrl, slotMostLag } = options
  const { handshakeBackoff } = { ...usualTiming, ...timing }
  const readerOf = async (connection: ProjectConnection, token: string): Promise<Reader> =>
    readerBy(token, () => gateway.namedBy(connection, token))
  const note = (ref: string, event: RealtimeEvent) => {
    logs.note(ref, 'realtime_logs', realtimeEntry(event))
    if (event.connected !== undefined) meter.peak(ref, 'realtime_connections', event.connected)
  }
  const realtime = createRealtime({ readerOf, timing, natsUrl, slotMostLag, note, log })
  projects.onRestart('realtime', (project) => {
    realtime
      .restart(project)
      .catch((error: unknown) =>
        log.warn({ err: error, ref: project.connection.ref }, 'Realtime did not restart in order'),
      )
  })
  meter.beforeSync(meterRealtime(meter, realtime.totals))

  /** Who a socket belongs to: by a key, or by a token in its place. */
  async function keyReaderOf(
    project: OpenProject,
    request: IncomingMessage,
    query: URLSearchParams,
  ) {
    const { connection } = project
    const header = request.headers['x-api-key'] ?? request.headers['apikey']
    const apikey = query.get('apikey') ?? (typeof header === 'string' ? header : undefined)
    const { authorization, ...headers } = request.headers
    try {
      const key = gateway.keyShown(connection, {
        apikey,
        authorization,
        fromBrowser: isBrowser(headers),
      })
      if (key.token !== undefined) return await readerOf(connection, key.token)
      return { role: key.role, claims: JSON.stringify({ role: key.role }), expires: Infinity }
    } catch (error) {
      const token = apikey ?? bearerOf(authorization)
      if (error instanceof KeyError && token?.split('.').length === 3) {
        return readerOf(connection, token)
      }
      throw error
    }
  }

  async function shake(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const { pathname, searchParams } = new URL(rewriteUrl(request), 'http://localhost')
    const ref = socketPath.exec(pathname)?.[1]
    if (ref === undefined) throw new HandshakeError(404, 'There is nothing at this address')
    const vsn = searchParams.get('vsn') ?? '1.0.0'
    if (vsn !== '1.0.0' && vsn !== '2.0.0') throw new HandshakeError(400, 'Unknown version')
    const project = await open(ref)
    if (!project) throw new HandshakeError(404, 'There is no project at this address')
    egress.watchSocket({ ref, service: 'realtime', socket })
    try {
      await admit(project, { request, socket, head, vsn, searchParams })
    } catch (error) {
      const { status, message: reason } = answerOf(error)
      if (status < 500) note(ref, { kind: 'refused', reason })
      throw error
    }
  }

  /** @throws HandshakeError, and what says who a client is */
  async function admit(
    project: OpenProject,
    { request, socket, head, vsn, searchParams }: Shaking,
  ): Promise<void> {
    if (project.connection.restricted) throw new HandshakeError(403, 'This project is suspended')
    const own = realtime.of(project)
    const settings = own.service.settings()
    if (own.closing) {
      throw new HandshakeError(503, 'RealtimeRestarting: Realtime is restarting, please standby')
    }
    if (!settings.enabled) throw new HandshakeError(403, 'Realtime is disabled for this project')
    const keyReader = await keyReaderOf(project, request, searchParams)
    if (own.connected >= settings.maxConcurrentUsers) {
      throw new HandshakeError(429, 'ConnectionRateLimitReached: Too many connected users')
    }
    own.accept({ request, socket, head, version: vsn === '2.0.0' ? 2 : 1, keyReader })
  }

  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // Functions have sockets of their own.
    if (/^(?:\/[a-z]+)?\/functions\/v1\//.test(request.url ?? '')) return
    const broken = () => socket.destroy()
    socket.on('error', broken)
    shake(request, socket, head).then(
      () => socket.off('error', broken),
      async (error: unknown) => {
        const { status, message } = answerOf(error)
        if (status === 500) log.error({ err: error }, 'A realtime socket could not be opened')
        await delay(handshakeBackoff, undefined, { ref: false })
        answer(socket, status, message)
      },
    )
  })
  app.addHook('preClose', () => realtime.close())
  app.get('/internal/realtime/metrics', (request, reply) => {
    if (!isOurs(request)) return reply.status(401).send({ message: 'Unauthorized' })
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(realtime.metrics())
  })

  void app.register(
    async (scope) => {
      gateway.guard(scope, {
        reads: () => false,
        thirdParty: true,
        refusal: ({ status, body }) => (status === 401 ? { message: 'Unauthorized' } : body),
      })
      broadcastRoutes(scope, {
        async callerOf(request) {
          const { project, key } = gateway.tenantOf(request)
          const bearer = bearerOf(request.headers.authorization)
          const token = bearer === undefined || bearer.startsWith('sb_') ? key.token : bearer
          const { service } = realtime.of(project)
          const reader =
            token === undefined
              ? { role: key.role, claims: JSON.stringify({ role: key.role }), expires: Infinity }
              : await service.readerOf(token)
          return { service, reader }
        },
      })
    },
    { prefix: '/:ref/realtime/v1/api' },
  )
}

/** @throws ChannelRefusal in the words of the protocol */
async function readerBy(
  token: string,
  verify: () => Promise<{ role: string; claims: string }>,
): Promise<Reader> {
  const peeked = peek(token)
  if (!peeked) throw new ChannelRefusal('MalformedJWT', 'The token provided is not a valid JWT')
  try {
    const { role, claims } = await verify()
    const { exp, role: named } = peeked.claims
    if (typeof exp !== 'number' || typeof named !== 'string') {
      throw new ChannelRefusal('InvalidJWTToken', 'Fields `role` and `exp` are required in JWT')
    }
    if (exp * 1000 <= Date.now()) throw expired(exp)
    return { role, claims, expires: exp * 1000 }
  } catch (error) {
    if (!(error instanceof TokenError)) throw error
    if (error.code === 'PGRST303') {
      const { exp } = peeked.claims
      if (error.message === 'JWT expired' && typeof exp === 'number') throw expired(exp)
      throw new ChannelRefusal('InvalidJWTToken', error.message)
    }
    throw new ChannelRefusal('JwtSignatureError', 'Failed to validate JWT signature')
  }
}

const expired = (exp: number) => {
  const ago = Math.round(Date.now() / 1000 - exp)
  return new ChannelRefusal('InvalidJWTToken', `Token has expired ${ago} seconds ago`)
}

function answerOf(error: unknown): { status: number; message: string } {
  if (error instanceof HandshakeError) return { status: error.status, message: error.message }
  if (error instanceof KeyError) return { status: 401, message: error.message }
  if (error instanceof ChannelRefusal) return { status: 401, message: error.reason }
  if (error instanceof UnavailableError) return { status: 503, message: error.message }
  return { status: 500, message: 'The socket could not be opened' }
}

function answer(socket: Socket, status: number, message: string): void {
  const body = JSON.stringify({ error: message })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'access-control-allow-origin: *',
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
