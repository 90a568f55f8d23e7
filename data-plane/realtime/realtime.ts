import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { WebSocketServer } from 'ws'
import type { ProjectConnection } from '#contract/internal'
import { defaultRealtimeSettings, maxPayloadBytes } from '#contract/realtime/realtime'
import type { Log } from '#kit/log'
import { serverOf, type OpenProject } from '../projects/open-project.ts'
import { Bus } from './bus.ts'
import { createNats, type Nats } from './nats.ts'
import { notifyCarrier } from './notify-store.ts'
import { accessFor } from './access.ts'
import { Connection } from './connection.ts'
import type { Version } from './frames.ts'
import { Feed } from './changes/feed.ts'
import { Flow } from './flow.ts'
import { Hub, type Notice } from './hub.ts'
import { keepPartitions, storedMessages } from './messages-store.ts'
import { broadcastOf, isMessage } from './stored-broadcast.ts'
import { subscribe } from './changes/subscribe.ts'
import { Subscriptions } from './changes/subscriptions.ts'
import type { Change } from './changes/wal-store.ts'
import { sized } from './pool-size.ts'
import { metricsText, noCounts, type Counts } from './metrics.ts'
import {
  ratesOf,
  usualTiming,
  type RealtimeEvent,
  type Reader,
  type Service,
  type Timing,
} from './service.ts'

/** A join does not wait longer for the database's own messages: clients give it up after ten seconds. */
const joinTimeoutMs = 3000

type Options = {
  /** Who a token names. @throws ChannelRefusal */
  readerOf(connection: ProjectConnection, token: string): Promise<Reader>
  timing?: Partial<Timing> | undefined
  /** How processes that serve the same project tell each other; by NOTIFY of its database unless given. */
  natsUrl?: string | undefined
  /** Bytes of WAL that a server may keep for the service; 256 MB unless told. */
  slotMostLag?: number | undefined
  /** Hears of what concerns a project's owner. */
  note?: ((ref: string, event: RealtimeEvent) => void) | undefined
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
  /** Its sockets are being closed, so that clients come back elsewhere. */
  readonly closing: boolean
  accept(arriving: Arriving): void
  /** Ends its sockets and everything that it has in the database; resolves when that has gone. */
  drain(): Promise<void>
}

const lookEveryMs = 1000
const noteEveryMs = 60_000
const keepPartitionsEveryMs = 3_600_000

/** The realtime services of all projects. A project that nobody is connected to costs nothing. */
export function createRealtime(options: Options) {
  const services = new WeakMap<OpenProject, ProjectRealtime>()
  /** By ref: a project that is opened anew counts on. */
  const counted = new Map<string, { counts: Counts; connected: () => number }>()
  const active = new Set<() => Promise<void>>()
  const node = randomUUID()
  const nats = options.natsUrl === undefined ? undefined : createNats(options.natsUrl)

  const totals = () =>
    [...counted].map(([ref, { counts, connected }]) => ({ ref, counts, connected: connected() }))

  return {
    of(project: OpenProject): ProjectRealtime {
      const found = services.get(project)
      if (found) return found
      const { ref } = project.connection
      const counts = counted.get(ref)?.counts ?? noCounts()
      const made = openRealtime(project, { node, nats, active, counts, ...options })
      services.set(project, made)
      counted.set(ref, { counts, connected: () => made.connected })
      return made
    },
    /** Sends all clients of a project away, and begins anew with the first that comes back. */
    async restart(project: OpenProject): Promise<void> {
      const found = services.get(project)
      if (!found) return
      await found.drain()
      if (services.get(project) === found) services.delete(project)
      project.renew(['plinth_realtime'])
    },
    /** What projects have used since this process began. */
    totals,
    /** The same in the text format of Prometheus. */
    metrics: () => metricsText(totals()),
    /** Tells all clients that they are to come back somewhere else, and waits until they have gone. */
    async close(): Promise<void> {
      await Promise.all([...active].map((drain) => drain()))
      await nats?.close()
    },
  }
}

type Common = Options & {
  /** Tells this process from the others. */
  node: string
  nats: Nats | undefined
  /** Ends of all services that somebody is connected to. */
  active: Set<() => Promise<void>>
  counts: Counts
}

function openRealtime(
  project: OpenProject,
  { node, nats, active, counts, readerOf, note, log, timing: given, slotMostLag }: Common,
): ProjectRealtime {
  const { ref } = project.connection
  const connections = new Set<Connection>()
  const settings = () => project.connection.settings.realtime ?? defaultRealtimeSettings
  const timing = { ...usualTiming, ...given }
  const pool = () => sized(project.pool('plinth_realtime'), settings().connectionPool)
  const notify = (notice: Notice) => bus.notify(notice)
  const hub = new Hub(node, notify)
  const feed = new Feed(pool)
  const noted = new Subscriptions({ pool, log, ref })
  const flow = new Flow({
    ref,
    pool,
    config: () => ({
      ...serverOf(project.connection.database),
      user: 'plinth_realtime',
      password: project.connection.database.servicePassword,
      application_name: 'plinth',
    }),
    async onChanges(changes: Change[]) {
      for (const broadcast of changes.filter(isMessage).map(broadcastOf)) {
        if (broadcast) hub.broadcast(broadcast)
      }
      const ofTables = changes.filter((change) => !isMessage(change))
      if (ofTables.length === 0) return
      notify({ kind: 'changes', changes: ofTables })
      await feed.deliver(ofTables)
    },
    watchMs: timing.slotWatch,
    maxLag: slotMostLag,
    log,
  })
  const dedicated = () => project.dedicated('plinth_realtime')
  const bus = new Bus({
    node,
    carrier: nats?.carrier(ref) ?? notifyCarrier({ pool, dedicated }),
    onNotice(from, notice) {
      if (notice.kind !== 'changes') return hub.hear(from, notice)
      feed
        .deliver(notice.changes)
        .catch((error: unknown) =>
          log.warn({ err: error, ref }, 'Changes could not be told to their readers'),
        )
    },
    onLost: (lost) => hub.lose(lost),
    state: () => hub.state(),
    log,
  })
  let release: (() => void) | undefined
  let timers: NodeJS.Timeout[] = []

  const service: Service = {
    ref,
    settings,
    hub,
    rates: ratesOf(settings),
    counts,
    timing,
    log,
    note: (event) => note?.(ref, event),
    readerOf: (token) => readerOf(project.connection, token),
    access: (reader, topic, headers) => accessFor(pool(), reader, topic, headers),
    stored: (topic, since, limit) => storedMessages(pool(), { topic, since, limit }),
    messagesFlow: () => flow.live(joinTimeoutMs),
  }

  function wake(): void {
    release = project.hold()
    active.add(drain)
    bus.start()
    flow.start()
    const look = () => {
      const now = performance.now()
      const { enabled } = settings()
      for (const connection of connections) {
        if (enabled) connection.look(now)
        else connection.drain()
      }
    }
    const keep = () =>
      keepPartitions(pool()).catch((error: unknown) =>
        log.warn({ err: error, ref }, 'Partitions of realtime messages could not be kept'),
      )
    void keep()
    void noted.keep()
    timers = [
      setInterval(look, lookEveryMs),
      setInterval(() => void noted.keep(), noteEveryMs),
      setInterval(() => void keep(), keepPartitionsEveryMs),
    ]
    for (const timer of timers) timer.unref()
  }
  function rest(): void {
    for (const timer of timers) clearInterval(timer)
    active.delete(drain)
    // Whoever closes the service meanwhile waits for this as well.
    const resting = Promise.all([flow.stop(), bus.stop()]).then(() => undefined)
    const wait = () => resting
    active.add(wait)
    void resting.finally(() => active.delete(wait))
    release?.()
    release = undefined
  }

  let closing = false
  async function drain(): Promise<void> {
    closing = true
    for (const connection of connections) connection.drain()
    await new Promise<void>((gone) => {
      const deadline = setTimeout(() => {
        for (const connection of connections) connection.terminate()
        gone()
      }, timing.drain)
      whenGone = () => {
        if (connections.size > 0) return
        clearTimeout(deadline)
        gone()
      }
      whenGone()
    })
    await Promise.all([flow.stop(), bus.stop()])
  }
  let whenGone: () => void = () => undefined
  project.onClose(() => void drain())

  let server: { limit: number; sockets: WebSocketServer } | undefined
  function serverNow(): WebSocketServer {
    const limit = maxPayloadBytes(settings())
    if (server?.limit === limit) return server.sockets
    // Twice, so that what is only a little too large is refused by words of the protocol.
    const maxPayload = limit * 2 + 65_536
    const sockets = new WebSocketServer({ noServer: true, maxPayload, perMessageDeflate: false })
    server = { limit, sockets }
    return sockets
  }

  return {
    service,
    drain,
    get connected() {
      return connections.size
    },
    get closing() {
      return closing
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
          onJoin: (joined) => subscribe({ pool, feed, flow, noted, log, ref }, joined),
        })
        connections.add(connection)
        const tell = (kind: 'connected' | 'disconnected') =>
          note?.(ref, { kind, connected: connections.size, limit: settings().maxConcurrentUsers })
        tell('connected')
        socket.once('close', () => {
          connections.delete(connection)
          tell('disconnected')
          whenGone()
          if (connections.size === 0) rest()
        })
      })
    },
  }
}
