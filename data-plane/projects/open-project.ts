import { restrictionOf } from './restriction.ts'
import type { ClientConfig } from 'pg'
import type { ProjectConnection } from '#contract/internal'
import type { Log } from '#kit/log'
import { Client, type Pool as DriverPool } from '#kit/postgres/client'
import { lsnOf } from '#kit/postgres/recovery/lsn'
import { budgetedClient, budgetedPool, renewPool } from './budgeted-pool.ts'
import { cutOff } from './cancel.ts'
import type { ConnectionBudget } from './connection-budget.ts'
import { Pool, PoolClosedError } from './pool.ts'
import { written } from './replicas/position-store.ts'
import { openReplica } from './replicas/replica.ts'
import { createReplicaReads, type ReplicaAnswer } from './replicas/replica-reads.ts'
import { runOn } from './run-on.ts'
import type { Row, Transaction } from './transaction.ts'

/** Logins of the services in a project's database. The first three start as one request role and can be no other. */
export type Login =
  | 'authenticator_anon'
  | 'authenticator_authenticated'
  | 'authenticator_service_role'
  | 'authenticator'
  | 'supabase_auth_admin'
  /** Is `supabase_storage_admin`. */
  | 'plinth_storage'
  /** Is `supabase_realtime_admin`. */
  | 'plinth_realtime'
  /** Is `postgres`, the owner. */
  | 'plinth_sql'

export type Limits = {
  /** Most connections of one login. */
  connectionsPerLogin: number
  waitMs: number
  connectMs: number
  /** How long running requests may go on once the project closes. */
  drainMs: number
  /** A replica that may be further behind is not asked. */
  replicaLagMs: number
}

/** A project whose database is in use: its connections, opened at first need. */
export type OpenProject = {
  connection: ProjectConnection
  /**
   * One transaction on a connection of the pool that belongs to the request role; a role without a pool of its own
   * goes through `authenticator`, and the transaction itself has to take the role.
   */
  run(role: string, transaction: Transaction): Promise<Row[][]>
  /**
   * What `run` does, by a read replica that is close enough behind; it must change nothing. Undefined: none could answer, whatever the
   * reason, and `run` decides.
   */
  runOnReplica(role: string, transaction: Transaction): Promise<ReplicaAnswer | undefined>
  /** The same as `run` on a connection of one login, whatever the transaction is for: never by a role that a request names. */
  runAs(login: Login, transaction: Transaction): Promise<Row[][]>
  /** The driver's own pool, for services that speak plain queries. */
  pool(login: Login): DriverPool
  /** A connection outside the pools, for LISTEN. It is ended with the project, or by the caller before. */
  dedicated(login: Login): Promise<Client>
  /** Most connections of each request role from now on; undefined: as many as the process gives. */
  limitConnections(max: number | undefined): void
  /** Has these logins' connections opened anew: those in use end when they are given back, or are cut off after a while. */
  renew(logins: readonly Login[]): void
  /** Keeps the project open without requests, until what this returns is called. */
  hold(): () => void
  /** Called once when the project closes. */
  onClose(listener: () => void): void
  readonly closed: boolean
}

/** Those that answer the data API, GraphQL, and what policies decide in Storage. */
export const dataApiLogins: readonly Login[] = [
  'authenticator',
  'authenticator_anon',
  'authenticator_authenticated',
  'authenticator_service_role',
]

const loginOf = new Map<string, Login>([
  ['anon', 'authenticator_anon'],
  ['authenticated', 'authenticator_authenticated'],
  ['service_role', 'authenticator_service_role'],
])

export type Handle = Omit<OpenProject, 'closed'> & {
  closed: boolean
  lastUsed: number
  busy(): boolean
  trim(time: number): void
  close(): Promise<void>
}

/** Where a project's database is, as the driver takes it. */
export const serverOf = ({ host, port, name, tls }: ProjectConnection['database']) => ({
  host,
  port,
  database: name,
  ...(tls ? { ssl: { rejectUnauthorized: tls === 'verify-full' } } : {}),
})

/** `budget`: of all connections to this server, whoever opens them; `replicaBudget`: to one of its replicas. */
export function openProject(
  connection: ProjectConnection,
  budget: ConnectionBudget,
  limits: Limits,
  log: Log,
  replicaBudget?: (identifier: string) => ConnectionBudget,
): Handle {
  const pools = new Map<Login, Pool>()
  const driverPools = new Map<Login, { pool: DriverPool; open: Set<Client> }>()
  const clients = new Set<Client>()
  const listeners = new Set<() => void>()
  const holders = new Set<symbol>()
  const BudgetedClient = budgetedClient(budget, limits)
  const { database, ref } = connection
  const onError = (error: Error) => log.info({ err: error, ref }, 'A database connection broke')
  let max = limits.connectionsPerLogin
  const refuseWhenClosed = () => {
    if (handle.closed) throw new PoolClosedError('The project is being closed')
  }
  const configOf = (user: string): ClientConfig => ({
    ...serverOf(database),
    user,
    password: database.servicePassword,
    application_name: 'plinth',
    connectionTimeoutMillis: limits.connectMs,
    // Signing in goes on while an organization may only read (compute/provider.ts, setReadOnly), and deleting while that is for a quota.
    ...(user === 'supabase_auth_admin' || restrictionOf(connection) === 'quota'
      ? { options: '-c default_transaction_read_only=off' }
      : {}),
  })

  function poolOf(login: Login): Pool {
    const found = pools.get(login)
    if (found) return found
    refuseWhenClosed()
    const pool = new Pool({ config: configOf(login), max, budget, waitMs: limits.waitMs, onError })
    pools.set(login, pool)
    return pool
  }

  async function runAs(login: Login, transaction: Transaction): Promise<Row[][]> {
    handle.lastUsed = performance.now()
    const pool = poolOf(login)
    const acquired = pool.acquire()
    const client = acquired instanceof Client ? acquired : await acquired
    return runOn(pool, client, transaction, (error) =>
      log.warn({ err: error, ref }, 'A connection could not be cleaned and is closed'),
    )
  }

  function driverPool(login: Login): DriverPool {
    handle.lastUsed = performance.now()
    const found = driverPools.get(login)
    if (found) return found.pool
    refuseWhenClosed()
    const max = limits.connectionsPerLogin
    const config = { ...configOf(login), max: max, idleTimeoutMillis: 60_000 }
    const pool = budgetedPool(config, budget, limits)
    pool.on('error', onError)
    const open = new Set<Client>()
    pool.on('connect', (client) => {
      clients.add(client)
      open.add(client)
    })
    pool.on('remove', (client) => {
      clients.delete(client)
      open.delete(client)
    })
    driverPools.set(login, { pool, open })
    return pool
  }

  async function dedicated(login: Login): Promise<Client> {
    refuseWhenClosed()
    const client = new BudgetedClient(configOf(login))
    client.on('error', onError)
    client.once('end', () => clients.delete(client))
    clients.add(client)
    await client.connect()
    // It may have waited for its place while the project was closed.
    if (handle.closed) cutOff(client)
    refuseWhenClosed()
    return client
  }

  const replicas =
    replicaBudget &&
    createReplicaReads({
      places: () => handle.connection.replicas ?? [],
      open: ({ identifier, host, port }) =>
        openReplica({
          configOf: (login) => ({ ...configOf(login), host, port }),
          max,
          budget: replicaBudget(identifier),
          onError,
        }),
      written: async () => lsnOf((await runAs('authenticator', written))[0]?.[0]?.[0] ?? ''),
      maxLagMs: limits.replicaLagMs,
      drainMs: limits.drainMs,
      onError: (error, replica) =>
        log.debug({ err: error, ref, replica }, 'A replica is passed by'),
    })

  async function close(): Promise<void> {
    if (handle.closed) return
    handle.closed = true
    for (const listener of listeners) listener()
    const deadline = setTimeout(() => {
      for (const client of clients) cutOff(client)
    }, limits.drainMs)
    await Promise.allSettled([
      ...[...pools.values()].map((pool) => pool.close(limits.drainMs)),
      ...[...driverPools.values()].map(({ pool }) => pool.end()),
      replicas?.close(),
    ])
    clearTimeout(deadline)
    for (const client of clients) cutOff(client)
  }

  const handle: Handle = {
    connection,
    run: (role, transaction) => runAs(loginOf.get(role) ?? 'authenticator', transaction),
    runOnReplica: async (role, transaction) => {
      handle.lastUsed = performance.now()
      return replicas?.read(loginOf.get(role) ?? 'authenticator', transaction)
    },
    runAs,
    pool: driverPool,
    dedicated,
    limitConnections: (connections = limits.connectionsPerLogin) => {
      max = connections
      for (const pool of pools.values()) pool.resize(max)
      replicas?.resize(max)
    },
    renew: (logins) => {
      for (const login of logins) {
        pools.get(login)?.renew(limits.drainMs)
        const driven = driverPools.get(login)
        if (driven) renewPool(driven.pool, driven.open, limits.drainMs)
      }
    },
    hold: () => {
      const holder = Symbol(ref)
      holders.add(holder)
      return () => holders.delete(holder)
    },
    onClose: (listener) => listeners.add(listener),
    closed: false,
    lastUsed: performance.now(),
    busy: () =>
      holders.size > 0 ||
      replicas?.busy === true ||
      [...pools.values()].some((pool) => pool.busy > 0) ||
      [...driverPools.values()].some(({ pool }) => pool.totalCount > pool.idleCount),
    trim: (time) => {
      for (const pool of pools.values()) pool.trim(time)
      replicas?.trim(time)
    },
    close,
  }
  return handle
}
