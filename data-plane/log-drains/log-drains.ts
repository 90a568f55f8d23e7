import type {
  LogDrainOrder,
  LogDrainReport,
  LogDrainType,
} from '#contract/observability/log-drain-shapes'
import type { AllowedNetworks } from '#kit/config/config-networks'
import type { Log } from '#kit/log'
import { createAuditCursors } from './audit-cursors.ts'
import { usualBackOff } from './back-off.ts'
import { destinationOf, gatheringOf } from './destinations/destinations.ts'
import { testDrain, testMs } from './drain-test.ts'
import { createDrain, type Drain, type DrainTiming } from './drain.ts'
import { ownerOf } from './drain-event.ts'
import { createPlaces } from './places.ts'
import { createReports } from './reports.ts'
import { createSend } from './send.ts'
import { auditSupply, projectSupply, type AuditSource, type LogSpool } from './supply.ts'

/** What the control plane says and hears. All reject when it does not answer. */
export type LogDrainSource = {
  logDrains(): Promise<LogDrainOrder[]>
  reportLogDrains(reports: LogDrainReport[]): Promise<void>
  auditEntries: AuditSource
  /** Hears of every moment at which drains may have changed. Returns how to stop listening. */
  onAnyChange(listener: () => void): () => void
}
export type Timing = DrainTiming & {
  /** Milliseconds between two questions for drains when nothing is heard, and at least between any two. */
  lookMs: number
  lookAgainMs: number
  /** Milliseconds between two looks at audit logs. */
  auditMs: number
  /** Milliseconds until changes are told. */
  reportMs: number
  /** Milliseconds of one request. */
  requestMs: number
}
export const usualTiming: Timing = {
  gatherMs: 1000,
  longestWaitMs: 86_400_000,
  slowMs: 3000,
  slowForMs: 600_000,
  graceMs: 3000,
  backOff: usualBackOff,
  lookMs: 60_000,
  lookAgainMs: 1000,
  auditMs: 10_000,
  reportMs: 15_000,
  requestMs: 30_000,
}

export type LogDrainsOptions = {
  source: LogDrainSource
  spool: LogSpool
  /** Where it is kept how far audit logs were sent. */
  folder: string
  /** Bytes that lines may take which wait for drains and for nothing else. */
  maxWaitingBytes: number
  /** Entries of a project that a drain has delivered, and their bytes. */
  count: (ref: string, entries: number, bytes: number) => void
  reachesLoopback: boolean
  /** What the operator lets drains reach of the inner network. */
  allowed?: AllowedNetworks | undefined
  log: Log
  timing?: Partial<Timing> | undefined
  now?: (() => number) | undefined
}
type Known = { order: LogDrainOrder; drain: Drain }

/** Sends the logs of projects, and the audit logs of organizations, to where their owners want them. */
export function createLogDrains(options: LogDrainsOptions) {
  const { source, spool, count, log, now = Date.now } = options
  const timing = { ...usualTiming, ...options.timing }
  const { reachesLoopback, allowed } = options
  const send = createSend({ reachesLoopback, allowed, timeoutMs: timing.requestMs })
  const sendTest = createSend({ reachesLoopback, allowed, timeoutMs: testMs })
  const cursors = createAuditCursors(options.folder)
  const known = new Map<string, Known>()
  const byRef = new Map<string, Set<Drain>>()
  const reports = createReports({
    send: source.reportLogDrains,
    everyMs: timing.reportMs,
    isKnown: (token) => known.has(token),
    now,
    log,
  })
  /** Found here, and not among the drains that there are: gone for good when that is so a second time. */
  let strangers = new Set<string>()
  const placesOf = createPlaces()
  let closed = false

  async function wayOf({ token, scope, type, config, since }: LogDrainOrder) {
    const destination = destinationOf(type, config)
    const supply =
      scope.of === 'project'
        ? projectSupply(await spool.open(scope.ref, token, since))
        : auditSupply({
            organization: scope.id,
            since,
            ask: source.auditEntries,
            cursor: cursors.of(token, since),
            isOurs: spool.isEldest,
          })
    return { destination, gathering: gatheringOf(type, config), supply }
  }
  async function begin(order: LogDrainOrder): Promise<void> {
    const { token, scope, type } = order
    const record = reports.of(token)
    const drain = createDrain({
      token,
      owner: ownerOf(scope),
      way: await wayOf(order),
      send,
      placesOf: (isSlow) => placesOf(type, isSlow),
      record,
      onRecord: reports.later,
      onDelivered: (entries, bytes) => {
        if (scope.of === 'project') count(scope.ref, entries, bytes)
      },
      timing,
      now,
      log,
    })
    // It could not be begun before, and now it could.
    if (record.isFailing()) record.begunAnew()
    known.set(token, { order, drain })
    if (scope.of === 'project') byRef.set(scope.ref, (byRef.get(scope.ref) ?? new Set()).add(drain))
  }
  async function follow(order: LogDrainOrder): Promise<void> {
    const before = known.get(order.token)
    try {
      if (!before) await begin(order)
      else if (before.order.revision !== order.revision || before.order.since !== order.since) {
        before.drain.change(await wayOf(order))
        before.order = order
      }
    } catch (error) {
      log.error({ err: error, drain: order.token }, 'A log drain could not be begun')
      reports.of(order.token).failed('This drain could not be begun; the platform tries again')
      reports.later()
    }
  }
  async function end(token: string, { order, drain }: Known): Promise<void> {
    known.delete(token)
    const { scope } = order
    if (scope.of === 'project') {
      const ofRef = byRef.get(scope.ref)
      ofRef?.delete(drain)
      if (ofRef?.size === 0) byRef.delete(scope.ref)
    }
    await drain.close(0)
    if (scope.of === 'project') await spool.close(scope.ref, token)
    else await cursors.remove(token)
  }
  /** What drains have left that ended while nobody was there. */
  async function tidy(there: ReadonlySet<string>): Promise<void> {
    const found = new Set<string>()
    const isOver = (token: string) => {
      if (there.has(token)) return false
      found.add(token)
      return strangers.has(token)
    }
    for (const { ref, reader } of await spool.readers())
      if (isOver(reader)) await spool.close(ref, reader)
    for (const token of await cursors.all()) if (isOver(token)) await cursors.remove(token)
    strangers = found
  }
  async function makeRoom(): Promise<void> {
    for (const { reader, lost } of await spool.trim(options.maxWaitingBytes)) {
      log.warn({ drain: reader, lost }, 'Entries are lost for a log drain: there is no room')
      known.get(reader)?.drain.lost(lost, 'Entries were given up: too many waited for this drain')
    }
  }

  async function lookOnce(): Promise<void> {
    const orders = await source.logDrains()
    const there = new Set(orders.map(({ token }) => token))
    const gone = [...known].filter(([token]) => !there.has(token))
    await Promise.all(gone.map(([token, each]) => end(token, each)))
    for (const order of orders) if (!closed) await follow(order)
    if (closed) return
    await tidy(there)
    if (known.size > 0) await makeRoom()
    for (const { drain } of known.values()) drain.wake()
    followAudits()
  }
  let looking: Promise<void> | undefined
  let lookedAt = -Infinity
  let lookTimer: NodeJS.Timeout | undefined
  let again = false
  function look(): void {
    if (looking) again = true
    if (closed || looking || lookTimer) return
    const wait = Math.max(lookedAt + timing.lookAgainMs - performance.now(), 0)
    lookTimer = setTimeout(() => {
      lookTimer = undefined
      again = false
      lookedAt = performance.now()
      looking = lookOnce()
        .catch((error: unknown) => {
          // Programs start in any order; the next round asks again.
          log.debug({ err: error }, 'Which log drains there are is not known')
        })
        .finally(() => {
          looking = undefined
          if (again) look()
        })
    }, wait).unref()
  }
  const everyMinute = setInterval(look, timing.lookMs).unref()
  const unfollow = source.onAnyChange(look)
  spool.onWritten((ref) => {
    for (const drain of byRef.get(ref) ?? []) drain.wake()
  })

  /** Nobody says that an audit log has grown. */
  let auditTimer: NodeJS.Timeout | undefined
  function followAudits(): void {
    clearInterval(auditTimer)
    const audits = [...known.values()].filter(({ order }) => order.scope.of === 'organization')
    if (audits.length === 0) return
    auditTimer = setInterval(() => {
      for (const { drain } of audits) drain.wake()
    }, timing.auditMs).unref()
  }

  return {
    start: look,
    test: (type: LogDrainType, config: Record<string, unknown>) =>
      testDrain(type, config, sendTest, now),
    async close(): Promise<void> {
      closed = true
      clearInterval(everyMinute)
      clearInterval(auditTimer)
      clearTimeout(lookTimer)
      unfollow()
      await looking
      await Promise.all([...known.values()].map(({ drain }) => drain.close()))
      await reports.close()
    },
  }
}
export type LogDrains = ReturnType<typeof createLogDrains>
