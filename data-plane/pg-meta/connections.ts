import type { Restriction } from '../projects/restriction.ts'
import type { ClientConfig, PoolClient } from 'pg'
import { replicaTenant } from '#contract/projects/replicas'
import { ApiError } from '#kit/errors'
import type { Log } from '#kit/log'
import { Client, Pool } from '#kit/postgres/client'
import { budgetedClient, budgetedPool } from '../projects/budgeted-pool.ts'
import type { ConnectionBudgets } from '../projects/connection-budget.ts'

/** The two logins of people: the database's owner, and who may look at everything and change nothing. */
export const logins = ['postgres', 'plinth_read_only'] as const
export type Login = (typeof logins)[number]

/** How to reach a project's database as one of them; undefined when there is no such project. */
export type ConnectionOf = (entering: Entering) => Promise<ClientConfig | undefined>
/** `deletes`: for a call that only deletes, which goes on while an organization is beyond its quota. */
export type Entering = {
  ref: string
  login: Login
  deletes?: boolean
  /** The identifier of a read replica, in place of the project's own server. */
  replica?: string | undefined
}

export type Who = {
  ref: string
  login: Login
  application: string
  /** Whom changes are written down for. */
  by: string | null
  /** The organization may only read, or read and delete; refusals say so. */
  restriction?: Restriction
  /** What it does is nothing but deleting. */
  deletes?: boolean
  /** Of a read replica of the project, where it is done. */
  replica?: string | undefined
}

export type Connections = {
  /** A pooled session for short work. It goes back clean, or not at all. */
  use<T>(who: Who, work: (client: PoolClient) => Promise<T>): Promise<T>
  /** The same for SQL of the caller's own, which may leave anything behind in its session. */
  useAndReset<T>(who: Who, work: (client: PoolClient) => Promise<T>): Promise<T>
  /** The same as `use`, also while all others are taken: to see what runs, and to stop it. */
  useAtOnce<T>(who: Who, work: (client: PoolClient) => Promise<T>): Promise<T>
  /** A session of its own, for as long as the caller likes; the caller ends it. */
  open(who: Who, settings?: ClientConfig): Promise<Client>
  close(): Promise<void>
}

/** Whose SQL runs in a session: ours, or the caller's; or ours that may not wait for either. */
type Kind = 'own' | 'foreign' | 'urgent'
type Entry = { pool: Pool; config: ClientConfig }

/** Sessions per project and login that short work may share. */
const poolSize = 4
const idleMs = 10_000
const connectMs = 10_000
const waits = { waitMs: connectMs, connectMs }
const statementMs = 30_000

export function createConnections(
  connectionOf: ConnectionOf,
  budgets: ConnectionBudgets,
  log: Log,
): Connections {
  const pools = new Map<string, Entry>()
  /** Those that nobody uses any more, until what still runs there is over. */
  const leaving = new Set<Promise<void>>()
  const names = new WeakMap<PoolClient, string>()

  async function configOf(who: Who): Promise<ClientConfig> {
    const { ref, login, deletes = false, replica } = who
    const config = await connectionOf({ ref, login, deletes, replica })
    if (!config) throw new ApiError('project_not_found')
    return { ...config, connectionTimeoutMillis: connectMs, keepAlive: true }
  }

  /** A replica is a server of its own, with places of its own. */
  const budgetOf = ({ ref, replica }: Who) =>
    budgets.of(replica === undefined ? ref : replicaTenant(ref, replica))

  function createPool(who: Who, key: string, config: ClientConfig, kind: Kind): Pool {
    const options = {
      ...config,
      max: kind === 'urgent' ? 1 : poolSize,
      idleTimeoutMillis: idleMs,
      allowExitOnIdle: true,
      statement_timeout: statementMs,
      // Compiling what is asked of a large catalog takes longer than asking it.
      ...(kind === 'foreign' ? {} : { options: `${config.options ?? ''} -c jit=off` }),
    }
    // The server keeps a few places more than the budget has.
    const pool = kind === 'urgent' ? new Pool(options) : budgetedPool(options, budgetOf(who), waits)
    pool.on('error', (error) => log.info({ err: error, project: key }, 'an idle session broke off'))
    // The pool listens to idle sessions only; one that is ended in the midst of its work would end this process.
    pool.on('connect', (client) =>
      client.on('error', (error) => log.info({ err: error, project: key }, 'a session broke off')),
    )
    pool.on('remove', () => {
      if (pool.totalCount + pool.waitingCount > 0 || pools.get(key)?.pool !== pool) return
      pools.delete(key)
      leave(pool)
    })
    return pool
  }

  /** Sessions for foreign SQL are kept apart: what is prepared in the others must not be thrown away. */
  async function poolOf(who: Who, kind: Kind): Promise<Pool> {
    const config = await configOf(who)
    const key = `${who.ref} ${who.login} ${kind}${who.deletes ? ' deletes' : ''}${who.replica ? ` ${who.replica}` : ''}`
    const known = pools.get(key)
    if (known && sameTarget(known.config, config)) return known.pool
    const entry = { pool: createPool(who, key, config, kind), config }
    pools.set(key, entry)
    if (known) leave(known.pool)
    return entry.pool
  }

  /** What runs there may take a quarter of an hour, and nobody who comes meanwhile waits for that. */
  function leave(pool: Pool): void {
    const left = pool
      .end()
      .catch((error: unknown) => log.info({ err: error }, 'a pool did not end in peace'))
      .finally(() => leaving.delete(left))
    leaving.add(left)
  }

  async function name(client: PoolClient, application: string): Promise<void> {
    if (names.get(client) === application) return
    await client.query("select set_config('application_name', $1, false)", [application])
    names.set(client, application)
  }

  async function borrow<T>(
    who: Who,
    kind: Kind,
    work: (client: PoolClient) => Promise<T>,
    clean: (client: PoolClient) => Promise<boolean>,
  ): Promise<T> {
    const client = await (await poolOf(who, kind)).connect()
    let reusable = false
    try {
      await name(client, who.application)
      const result = await work(client)
      reusable = await clean(client)
      return result
    } catch (error) {
      reusable = await clean(client).catch(() => false)
      throw error
    } finally {
      client.release(!reusable)
    }
  }

  return {
    use: (who, work) =>
      borrow(who, 'own', work, (client) => Promise.resolve(client.getTransactionStatus() === 'I')),
    useAtOnce: (who, work) =>
      borrow(who, 'urgent', work, (client) =>
        Promise.resolve(client.getTransactionStatus() === 'I'),
      ),
    useAndReset: (who, work) =>
      borrow(who, 'foreign', work, async (client) => {
        names.delete(client)
        if (client.getTransactionStatus() !== 'I') await client.query('rollback')
        await client.query('discard all')
        return true
      }),
    open: async (who, settings = {}) => {
      const config = await configOf(who)
      const BudgetedClient = budgetedClient(budgetOf(who), waits)
      const client = new BudgetedClient({
        ...config,
        ...settings,
        application_name: who.application,
      })
      client.on('error', (error) =>
        log.info({ err: error, project: who.ref }, 'a session broke off'),
      )
      await client.connect()
      return client
    },
    close: async () => {
      const all = [...pools.values()]
      pools.clear()
      await Promise.all([...all.map(({ pool }) => pool.end()), ...leaving])
    },
  }
}

const sameTarget = (a: ClientConfig, b: ClientConfig) =>
  a.host === b.host &&
  a.port === b.port &&
  a.database === b.database &&
  a.user === b.user &&
  a.password === b.password

/** Runs `work` in one transaction of the session. */
export async function inTransaction<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    // A session that cannot even roll back is thrown away by its pool; the first error is the one to tell.
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}
