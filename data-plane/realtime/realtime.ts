import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { WebSocketServer } from 'ws'
import type { ProjectConnection } from '#contract/internal'
import { defaultRealtimeSettings } from '#contract/realtime'
import type { Log } from '#kit/log'
import type { OpenProject } from '../projects/open-project.ts'
import { accessFor } from './access.ts'
import { Connection } from './connection.ts'
import type { Version } from './frames.ts'
import { Hub } from './hub.ts'
import { keepPartitions, storedMessages } from './messages-store.ts'
import { ratesOf, usualTiming, type Reader, type Service, type Timing } from './service.ts'

type Options = {
  /** Who a token names. @throws ChannelRefusal */
  readerOf(connection: ProjectConnection, token: string): Promise<Reader>
  timing?: Partial<Timing> | undefined
  log: Log
}
export type Arriving = {
  request: IncomingMessage
  socket: Socket
  head: Buffer
  version: Version
  keyReader: Reader
}
/** The realtime service of one open project. */
export type ProjectRealtime = {
  service: Service
  readonly connected: number
  accept(arriving: Arriving): void
}

const lookEveryMs = 1000
const keepPartitionsEveryMs = 3_600_000

/** The realtime services of all projects. A project that nobody is connected to costs nothing. */
export function createRealtime(options: Options) {
  const services = new WeakMap<OpenProject, ProjectRealtime>()
  const active = new Set<() => Promise<void>>()
  const node = randomUUID()

  return {
    of(project: OpenProject): ProjectRealtime {
      const found = services.get(project)
      if (found) return found
      const made = openRealtime(project, node, options, active)
      services.set(project, made)
      return made
    },
    /** Tells all clients that they are to come back somewhere else, and waits until they have gone. */
    async close(): Promise<void> {
      await Promise.all([...active].map((drain) => drain()))
    },
  }
}

function openRealtime(
  project: OpenProject,
  node: string,
  { readerOf, log, timing: given }: Options,
  active: Set<() => Promise<void>>,
): ProjectRealtime {
  const { ref } = project.connection
  const connections = new Set<Connection>()
  const settings = () => project.connection.settings.realtime ?? defaultRealtimeSettings
  const timing = { ...usualTiming, ...given }
  const pool = () => project.pool('supabase_realtime_admin')
  const hub = new Hub(node, () => undefined)
  let release: (() => void) | undefined
  let timers: NodeJS.Timeout[] = []

  const service: Service = {
    ref,
    settings,
    hub,
    rates: ratesOf(settings),
    timing,
    log,
    readerOf: (token) => readerOf(project.connection, token),
    access: (reader, topic, headers) => accessFor(pool(), reader, topic, headers),
    stored: (topic, since, limit) => storedMessages(pool(), { topic, since, limit }),
    messagesFlow: async () => true,
  }

  function wake(): void {
    release = project.hold()
    active.add(drain)
    const look = () => {
      const now = Date.now()
      for (const connection of connections) connection.look(now)
    }
    const keep = () =>
      keepPartitions(pool()).catch((error: unknown) =>
        log.warn({ err: error, ref }, 'Partitions of realtime messages could not be kept'),
      )
    void keep()
    timers = [setInterval(look, lookEveryMs), setInterval(() => void keep(), keepPartitionsEveryMs)]
    for (const timer of timers) timer.unref()
  }
  function rest(): void {
    for (const timer of timers) clearInterval(timer)
    active.delete(drain)
    release?.()
    release = undefined
  }

  function drain(): Promise<void> {
    for (const connection of connections) connection.drain()
    return new Promise((gone) => {
      const poll = () => {
        if (connections.size > 0) return
        clearTimeout(deadline)
        gone()
      }
      const deadline = setTimeout(() => {
        for (const connection of connections) connection.terminate()
        gone()
      }, timing.drain)
      whenGone = poll
      poll()
    })
  }
  let whenGone: () => void = () => undefined
  project.onClose(() => void drain())

  let server: { limit: number; sockets: WebSocketServer } | undefined
  function serverNow(): WebSocketServer {
    const limit = settings().maxPayloadKb * 1000
    if (server?.limit === limit) return server.sockets
    // Twice, so that what is only a little too large is refused by words of the protocol.
    const maxPayload = limit * 2 + 65_536
    const sockets = new WebSocketServer({ noServer: true, maxPayload, perMessageDeflate: false })
    server = { limit, sockets }
    return sockets
  }

  return {
    service,
    get connected() {
      return connections.size
    },
    accept({ request, socket: raw, head, version, keyReader }) {
      serverNow().handleUpgrade(request, raw, head, (socket) => {
        if (connections.size === 0) wake()
        const headers = JSON.stringify(request.headers)
        const connection = new Connection({
          service,
          socket,
          raw,
          version,
          keyReader,
          headers,
          onJoin: () => ({ postgres_changes: [] }),
        })
        connections.add(connection)
        socket.once('close', () => {
          connections.delete(connection)
          whenGone()
          if (connections.size === 0) rest()
        })
      })
    },
  }
}
