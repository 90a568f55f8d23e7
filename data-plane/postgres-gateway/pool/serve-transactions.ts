import type { ConnectionEvent } from '../events.ts'
import type { Session } from '../session.ts'
import type { CancelKeys } from '../shared/cancel-keys.ts'
import { authentication, keyData, parameterStatus, readyForQuery } from '../shared/messages.ts'
import type { Guest, SharedRules } from '../shared/shared-port.ts'
import { createPooledClient, type PooledClient } from './pooled-client.ts'
import { createProjectPool, loginOf, type PoolFigures, type ProjectPool } from './project-pool.ts'
import { isPlain, wantedOf } from './session-state.ts'

type Options = {
  keys: CancelKeys
  rulesOf: (ref: string) => SharedRules | undefined
  tell: (ref: string, event: ConnectionEvent) => void
  waitMs?: number | undefined
  idleMs?: number | undefined
  /** Milliseconds for which a client gets back the connection that it had, as it has left it. */
  ownMs?: number | undefined
  /** Milliseconds that transactions have to end when all ends. */
  drainMs?: number | undefined
}

/** Lends clients connections to their servers, a transaction each time. */
export function createTransactionMode(options: Options) {
  const {
    keys,
    rulesOf,
    tell,
    waitMs = 30_000,
    idleMs = 60_000,
    ownMs = 20,
    drainMs = 5000,
  } = options
  const pools = new Map<string, ProjectPool>()
  /** And whose they are. */
  const clients = new Map<PooledClient, string>()
  /** Of each project. */
  const counts = new Map<string, number>()
  let whenEmpty: (() => void) | undefined

  function poolOf({ ref, socketPath, poolSize, paused }: SharedRules): ProjectPool {
    const known = pools.get(ref)
    if (known) return known
    let rules = { socketPath, size: poolSize, paused }
    const pool = createProjectPool({
      rules() {
        const now = rulesOf(ref)
        if (now) rules = { socketPath: now.socketPath, size: now.poolSize, paused: now.paused }
        return rules
      },
      waitMs,
      idleMs,
      ownMs,
    })
    pools.set(ref, pool)
    return pool
  }

  function serve({
    client: socket,
    address,
    target,
    startup,
    rules,
    rest,
    refuse,
    keys: scram,
  }: Guest) {
    const { ref, role, database, parameters } = target
    const wanted = wantedOf(parameters)
    if ('refusal' in wanted) return refuse(wanted.refusal, 'gateway')
    const { reported } = wanted
    const pool = poolOf(rules)
    const login = loginOf(role, database, scram)
    const client = createPooledClient(socket, pool, login, wanted)
    clients.set(client, ref)
    counts.set(ref, (counts.get(ref) ?? 0) + 1)
    const key = keys.claim({ ref, cancel: client.cancel })
    const beganAt = performance.now()
    const facts = { address, startup, mode: 'transaction' } as const
    const { processId } = key
    let isIn = false
    const session: Session = {
      bytes: () => ({
        toClient: socket.bytesWritten - socket.writableLength,
        fromClient: socket.bytesRead,
      }),
      end: () => void socket.destroy(),
    }
    tell(ref, { kind: 'opened', session })
    socket.once('close', () => {
      client.end()
      clients.delete(client)
      const left = (counts.get(ref) ?? 1) - 1
      if (left > 0) counts.set(ref, left)
      else counts.delete(ref)
      keys.release(key)
      const seconds = (performance.now() - beganAt) / 1000
      tell(ref, {
        kind: 'ended',
        ...facts,
        processId: isIn ? processId : undefined,
        seconds,
        session,
      })
      if (clients.size === 0) whenEmpty?.()
    })
    function greet(settings: ReadonlyMap<string, string>): void {
      isIn = true
      const shown = new Map([...settings, ...reported])
      socket.write(
        Buffer.concat([
          authentication(0),
          ...[...shown].map(([name, value]) => parameterStatus(name, value)),
          keyData(key),
          readyForQuery,
        ]),
      )
      tell(ref, { kind: 'connected', ...facts, processId })
      client.begin(rest)
    }
    const welcome = pool.welcome(login.key)
    if (welcome && isPlain(wanted, welcome)) {
      for (const name of reported.keys())
        if (name !== 'application_name') reported.set(name, welcome.get(name) ?? '')
      greet(welcome)
    } else client.tryOut(greet)
  }

  return {
    serve,
    /** Undefined: nobody has come yet. */
    figures(ref: string): (PoolFigures & { clients: number }) | undefined {
      const pool = pools.get(ref)
      return pool && { ...pool.figures(), clients: counts.get(ref) ?? 0 }
    },
    /** Ends connections of projects that are no more. */
    keep(has: (ref: string) => boolean): void {
      for (const [ref, pool] of pools) {
        if (has(ref)) continue
        pools.delete(ref)
        pool.close()
      }
    },
    /** Ends the clients of one tenant: at once where they have no transaction, or else when that is over or takes too long. */
    restart(ref: string): void {
      const leaving = [...clients].filter(([, of]) => of === ref).map(([client]) => client)
      for (const client of leaving) client.drain()
      pools.get(ref)?.renew()
      setTimeout(() => {
        for (const client of leaving) client.end()
      }, drainMs).unref()
    },
    /** Ends every client: at once where it has no transaction, or else when that is over. */
    async drain(): Promise<void> {
      for (const client of clients.keys()) client.drain()
      if (clients.size > 0) {
        const emptied = new Promise<void>((resolve) => {
          whenEmpty = resolve
        })
        const late = setTimeout(() => {
          for (const client of clients.keys()) client.end()
          whenEmpty?.()
        }, drainMs)
        await emptied
        clearTimeout(late)
      }
      for (const pool of pools.values()) pool.close()
    },
  }
}
