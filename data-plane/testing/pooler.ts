import { Client } from 'pg'
import type { DatabasePort } from '#contract/internal-api'
import { silentLog } from '#kit/log'
import type { TestDatabase } from '#kit/testing/postgres'
import { createCounting } from '../postgres-gateway/counting.ts'
import type { ConnectionEvent, PoolMode } from '../postgres-gateway/events.ts'
import type { Encryption } from '../postgres-gateway/tls/encryption.ts'
import { createSharedGateway } from '../postgres-gateway/shared/shared-gateway.ts'

export const poolerRef = 'poolerofthetestsaaaa'

type Given = Partial<Omit<DatabasePort, 'ref'>> & {
  openingMs?: number
  encryption?: Encryption
  waitMs?: number
  idleMs?: number
  ownMs?: number
  drainMs?: number
  /** In place of what the server keeps. */
  passwordOf?: (ref: string, role: string) => Promise<string | null>
}

/** The shared ports in front of the test server, for one project, and what they tell and count. */
export async function startPooler(
  database: Pick<TestDatabase, 'adminConfig' | 'configFor' | 'host' | 'port'>,
  given: Given = {},
) {
  const { openingMs, encryption, waitMs, idleMs, ownMs, drainMs, passwordOf, ...rules } = given
  const admin = new Client(database.adminConfig)
  // It ends with the test.
  admin.on('error', () => undefined)
  await admin.connect()
  let desired: DatabasePort = {
    ref: poolerRef,
    port: database.port,
    host: database.host,
    connections: 500,
    pool: { size: 10, clients: 200 },
    networks: null,
    ssl_enforced: false,
    paused: null,
    replicas: [],
    ...rules,
  }
  const events: ConnectionEvent[] = []
  const counts = new Map<string, number>()
  const counting = createCounting((_, metric, amount) => {
    counts.set(metric, (counts.get(metric) ?? 0) + amount)
  })
  const asked: string[] = []
  async function kept(ref: string, role: string): Promise<string | null> {
    asked.push(`${role} of ${ref}`)
    if (passwordOf) return passwordOf(ref, role)
    const { rows } = await admin.query<{ text: string | null }>(
      'select rolpassword as text from pg_authid where rolname = $1 and rolcanlogin',
      [role],
    )
    const text = rows[0]?.text ?? null
    return text?.startsWith('md5') ? 'other' : text
  }
  const gateway = createSharedGateway({
    ports: { host: '127.0.0.1', session: 0, transaction: 0 },
    passwordOf: kept,
    tell(_, event) {
      if (event.kind === 'opened') counting.opened(poolerRef, event.session)
      if (event.kind === 'ended') counting.ended(event.session)
      events.push(event)
    },
    log: silentLog,
    openingMs,
    encryption,
    waitMs,
    idleMs,
    ownMs,
    drainMs,
  })
  gateway.update([desired])
  await gateway.opened
  const portOf = (mode: PoolMode) => gateway.portOf(mode) ?? 0
  return {
    gateway,
    admin,
    events,
    counts,
    counting,
    /** Whose passwords were asked for. */
    asked,
    portOf,
    change(now: Partial<DatabasePort> | undefined): void {
      if (now) desired = { ...desired, ...now }
      gateway.update(now ? [desired] : [])
    },
    /** How a client of this project connects; `user` is the name of the role. */
    config: (mode: PoolMode, user = 'postgres') => ({
      ...database.configFor(user),
      user: `${user}.${poolerRef}`,
      host: '127.0.0.1',
      port: portOf(mode),
    }),
    of: (kind: ConnectionEvent['kind']) => events.filter((event) => event.kind === kind),
    async close() {
      await gateway.close()
      await admin.end()
    },
  }
}
export type TestPooler = Awaited<ReturnType<typeof startPooler>>
