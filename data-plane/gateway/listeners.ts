import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { ListenerState, WantedListener } from '#contract/internal-api'
import { isNoSuchAddress } from '#kit/network/free-port'
import type { Log } from '#kit/log'
import { limitSlowBodies } from '#kit/http/slow-bodies'
import { timeLimitsOf } from '../http-server.ts'
import { paceOfBodies } from './body-pace.ts'

/** Where it learns what to listen on. */
export type ListenerSource = {
  /** The projects that have a port of their own. */
  listeners(): Promise<WantedListener[]>
  /** Hears of every moment at which that may have changed. Returns how to stop listening. */
  onAnyChange(listener: () => void): () => void
}
type Open = WantedListener & { servers: Server[]; problem: string | null }
type Rewrite = (request: IncomingMessage) => string

/** A port that something else holds is tried again: it may go away. */
const retryMs = 5000

/**
 * Ports of 127.0.0.1 and ::1 of which each serves one project at the root of the address, as if requests had come below
 * `/{ref}`: the same services, gateway and limits, and nothing beside them.
 */
export function createListeners(source: ListenerSource | undefined, log: Log) {
  /** By connection, so that nothing in a request can say otherwise. */
  const refs = new WeakMap<Socket, string>()
  const open = new Map<number, Open>()
  let app: FastifyInstance | undefined
  let running: Promise<void> = Promise.resolve()
  let closed = false
  let retry: NodeJS.Timeout | undefined

  function listen(host: string, { ref, port }: WantedListener): Promise<Server | undefined> {
    const server = createServer(app ? timeLimitsOf(app) : {}, (request, response) => {
      // A connection that is kept must not outlive the port.
      if (!server.listening) response.setHeader('connection', 'close')
      app?.routing(request, response)
    })
    limitSlowBodies(server, paceOfBodies)
    server.on('connection', (socket) => refs.set(socket, ref))
    server.on('upgrade', (request, socket, head) => {
      // With somebody who listens to it, Node leaves the socket to them.
      if (!app?.server.emit('upgrade', request, socket, head)) socket.destroy()
    })
    return new Promise((resolve, reject) => {
      server.once('error', (error) => (isNoSuchAddress(error) ? resolve(undefined) : reject(error)))
      server.listen({ host, port, ipv6Only: true }, () => resolve(server))
    })
  }

  async function begin(desired: WantedListener): Promise<Open> {
    const servers: Server[] = []
    try {
      for (const host of ['127.0.0.1', '::1']) {
        const server = await listen(host, desired)
        if (server) servers.push(server)
      }
      return { ...desired, servers, problem: null }
    } catch (error) {
      end({ servers })
      log.warn({ err: error, ...desired }, 'A port of a project cannot be opened')
      return {
        ...desired,
        servers: [],
        problem: `Port ${desired.port} is in use by another program`,
      }
    }
  }

  function end({ servers }: Pick<Open, 'servers'>): void {
    for (const server of servers) {
      server.close()
      server.closeIdleConnections()
    }
  }

  async function look(): Promise<void> {
    if (!source || !app) return
    const desired = new Map((await source.listeners()).map((one) => [one.port, one]))
    for (const [port, held] of open) {
      if (desired.get(port)?.ref === held.ref && held.problem === null) continue
      end(held)
      open.delete(port)
    }
    for (const [port, one] of desired) {
      if (!closed && !open.has(port)) open.set(port, await begin(one))
    }
    clearTimeout(retry)
    if (!closed && [...open.values()].some(({ problem }) => problem !== null)) {
      retry = setTimeout(followUp, retryMs)
      retry.unref()
    }
  }

  /** One look after the other; rejects when nobody tells what to listen on. */
  function sync(): Promise<void> {
    const next = running.catch(() => undefined).then(look)
    running = next
    return next
  }
  function followUp(): void {
    // Programs start in any order; the next gap in the stream of changes, which tells when it lasts, looks again.
    sync().catch((error: unknown) => log.debug({ err: error }, 'Ports of projects are not known'))
  }
  const stop = source?.onAnyChange(followUp)

  return {
    /** For `rewriteUrl` of Fastify. */
    rewriting:
      (rewrite: Rewrite): Rewrite =>
      (request) => {
        const ref = refs.get(request.socket)
        return ref === undefined ? rewrite(request) : `/${ref}${request.url ?? '/'}`
      },

    /** Who answers, once it can. */
    serve(by: FastifyInstance): void {
      app = by
      if (source) followUp()
    },

    /** Looks now, and says what is open. */
    async states(): Promise<ListenerState[]> {
      await sync()
      return [...open.values()].map(({ ref, port, problem }) => ({ ref, port, problem }))
    },

    close(): void {
      closed = true
      stop?.()
      clearTimeout(retry)
      for (const held of open.values()) end(held)
      open.clear()
    },
  }
}
