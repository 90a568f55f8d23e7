import { join } from 'node:path'
import type { DatabasePort } from '#contract/internal-api'
import { projectOfTenant } from '#contract/projects/replicas'
import type { Log } from '#kit/log'
import { createTransactionMode } from '../pool/serve-transactions.ts'
import type { ConnectionEvent, PoolMode } from '../events.ts'
import { networkRule } from '../networks.ts'
import type { Encryption } from '../tls/encryption.ts'
import { createCancelKeys } from './cancel-keys.ts'
import { createSessionMode } from './serve-session.ts'
import { createSharedPort, type SharedPort, type SharedRules } from './shared-port.ts'
import { createVerifiers, type PasswordSource } from './verifiers.ts'

/** Where clients of all projects are taken; undefined: not at all. */
export type SharedPorts = {
  host: string
  session?: number | undefined
  transaction?: number | undefined
}
type Options = {
  ports: SharedPorts
  passwordOf: PasswordSource
  tell: (ref: string, event: ConnectionEvent) => void
  log: Log
  openingMs?: number | undefined
  encryption?: Pick<Encryption, 'context'> | undefined
  /** Milliseconds until a port that another program holds is tried again. */
  retryMs?: number
  /** Milliseconds that a client waits for a connection in transaction mode. */
  waitMs?: number | undefined
  /** Milliseconds without use after which a connection to a server is closed. */
  idleMs?: number | undefined
  /** Milliseconds for which a client in transaction mode gets back the connection that it had, as it has left it. */
  ownMs?: number | undefined
  /** Milliseconds that transactions have to end when all ends. */
  drainMs?: number | undefined
}

const projectOf = (tenant: string): string => projectOfTenant(tenant) ?? tenant

/** A project, and each of its replicas as if it were one. */
const tenantsOf = (one: DatabasePort): DatabasePort[] => [
  one,
  ...one.replicas.map(({ tenant, host, port }) => ({ ...one, ref: tenant, host, port })),
]

type Place = { mode: PoolMode; number: number; port: SharedPort; at: number | undefined }

/** The ports that all projects share. */
export function createSharedGateway(options: Options) {
  const { ports, log, openingMs, encryption, retryMs = 2000 } = options
  // A replica has the passwords of its project, and what happens there belongs to it.
  const passwordOf: PasswordSource = (tenant, role) => options.passwordOf(projectOf(tenant), role)
  const tell: Options['tell'] = (tenant, event) => options.tell(projectOf(tenant), event)
  const projects = new Map<string, { desired: DatabasePort; isAllowed: (of: string) => boolean }>()
  const keys = createCancelKeys()
  const verifiers = createVerifiers(passwordOf)
  const sessions = createSessionMode({ keys, verifiers, tell })
  let isClosed = false
  const retries = new Set<NodeJS.Timeout>()

  function rulesOf(
    ref: string,
  ): (Omit<SharedRules, 'connections'> & { desired: DatabasePort }) | undefined {
    const found = projects.get(ref)
    if (!found) return undefined
    const { desired, isAllowed } = found
    return {
      ref,
      desired,
      isAllowed,
      sslEnforced: desired.ssl_enforced,
      paused: desired.paused,
      socketPath: join(desired.host, `.s.PGSQL.${desired.port}`),
      poolSize: desired.pool.size,
    }
  }
  function rulesFor(mode: PoolMode) {
    return (ref: string): SharedRules | undefined => {
      const rules = rulesOf(ref)
      if (!rules) return undefined
      const { connections, pool } = rules.desired
      return { ...rules, connections: mode === 'session' ? connections : pool.clients }
    }
  }
  const transactions = createTransactionMode({
    keys,
    rulesOf: rulesFor('transaction'),
    tell,
    waitMs: options.waitMs,
    idleMs: options.idleMs,
    ownMs: options.ownMs,
    drainMs: options.drainMs,
  })
  /** All of its clients have to come back, and get connections that were opened since. */
  function restart(tenant: string): void {
    log.info({ ref: projectOf(tenant) }, 'The pooler of a project is restarted')
    sessions.restart(tenant)
    transactions.restart(tenant)
  }
  const shared = { verifiers, keys, tell, log, openingMs, encryption }
  const places: Place[] = []
  if (ports.session !== undefined)
    places.push({
      mode: 'session',
      number: ports.session,
      at: undefined,
      port: createSharedPort({ ...shared, rulesOf: rulesFor('session'), serve: sessions.serve }),
    })
  if (ports.transaction !== undefined)
    places.push({
      mode: 'transaction',
      number: ports.transaction,
      at: undefined,
      port: createSharedPort({
        ...shared,
        rulesOf: rulesFor('transaction'),
        serve: transactions.serve,
      }),
    })

  async function open(place: Place): Promise<void> {
    try {
      const at = await place.port.listen(ports.host, place.number)
      if (isClosed) place.port.close()
      else place.at = at
    } catch (error) {
      if (isClosed) return
      // Another process may serve the same projects here; it is taken over when that one has gone.
      log.warn({ err: error, port: place.number }, `The port for ${place.mode} mode is not open`)
      const timer = setTimeout(() => {
        retries.delete(timer)
        void open(place)
      }, retryMs)
      timer.unref()
      retries.add(timer)
    }
  }
  const opened = Promise.all(places.map(open))

  return {
    /** When each port was tried once. */
    opened,
    /** The port of a mode; undefined: it is not open. */
    portOf: (mode: PoolMode): number | undefined => places.find((place) => place.mode === mode)?.at,
    /** What there is from now on. */
    update(ports: readonly DatabasePort[]): void {
      const desired = ports.flatMap(tenantsOf)
      const refs = new Set(desired.map(({ ref }) => ref))
      for (const ref of projects.keys()) if (!refs.has(ref)) projects.delete(ref)
      transactions.keep((ref) => refs.has(ref))
      for (const one of desired) {
        const known = projects.get(one.ref)
        if (known && known.desired.restarted !== one.restarted) restart(one.ref)
        const same = known && String(known.desired.networks) === String(one.networks)
        const isAllowed = same ? known.isAllowed : networkRule(one.networks)
        projects.set(one.ref, { desired: one, isAllowed })
      }
    },
    /** Of a project's connections in transaction mode; undefined: it has none. */
    poolFigures: transactions.figures,
    /** Ends every connection, and waits a moment for transactions that are under way. */
    async close(): Promise<void> {
      isClosed = true
      for (const timer of retries) clearTimeout(timer)
      for (const { port } of places) port.close()
      sessions.end()
      await transactions.drain()
    },
  }
}
export type SharedGateway = ReturnType<typeof createSharedGateway>
/** Of one project in transaction mode. */
export type PoolerFigures = NonNullable<ReturnType<SharedGateway['poolFigures']>>
