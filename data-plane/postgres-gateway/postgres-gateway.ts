import { join } from 'node:path'
import type { DatabasePort, DatabasePortState } from '#contract/internal-api'
import type { Log } from '#kit/log'
import { holderOf } from '#kit/postgres/port-question'
import { directBackends } from './backends.ts'
import type { ConnectionEvent } from './events.ts'
import { networkRule } from './networks.ts'
import { createPort, type Port } from './port.ts'
import type { Encryption } from './tls/encryption.ts'

/** Where it learns on which ports to take connections, and for whom. */
export type DatabasePortSource = {
  /** Rejects when nobody can tell at the moment. */
  databasePorts(): Promise<DatabasePort[]>
  /** Hears of every moment at which that may have changed. Returns how to stop listening. */
  onAnyChange(listener: () => void): () => void
}
type Options = {
  source: DatabasePortSource
  tell: (ref: string, event: ConnectionEvent) => void
  log: Log
  openingMs?: number | undefined
  encryption?: Pick<Encryption, 'context'> | undefined
  /** Hears of what there is, before a port of it is open. */
  onPorts?: ((ports: DatabasePort[]) => void) | undefined
}
type Held = { desired: DatabasePort; port: Port; isOpen: boolean; problem: string | null }

/** As the servers did before: whoever is not on this machine comes by a way that its operator makes. */
const host = '127.0.0.1'
/** A port that something else holds is tried again: it may go away, and so may another process that serves the same projects. */
const retryMs = 2000

/**
 * Takes the connections of people and programs to the databases of projects, on the port that each project has. Bytes go through
 * untouched; who may come in by which password stays the server's to decide.
 */
export function createPostgresGateway(options: Options) {
  const { source, tell, log, openingMs, encryption, onPorts } = options
  const held = new Map<number, Held>()
  let running: Promise<void> = Promise.resolve()
  let waiting: Promise<void> | undefined
  let isClosed = false
  let retry: NodeJS.Timeout | undefined

  async function begin(desired: DatabasePort): Promise<void> {
    let known = desired
    let rule = networkRule(desired.networks)
    const port = createPort({
      rules: () => {
        const now = held.get(desired.port)?.desired ?? desired
        if (now !== known) {
          known = now
          rule = networkRule(now.networks)
        }
        return {
          ref: now.ref,
          connections: now.connections,
          isAllowed: rule,
          sslEnforced: now.ssl_enforced,
          paused: now.paused,
        }
      },
      backends: directBackends(() => {
        const now = held.get(desired.port)?.desired ?? desired
        return join(now.host, `.s.PGSQL.${now.port}`)
      }),
      tell,
      openingMs,
      encryption,
    })
    const entry: Held = { desired, port, isOpen: true, problem: null }
    try {
      await port.listen(host, desired.port)
    } catch (error) {
      entry.isOpen = false
      if ((await holderOf(desired.port)) !== desired.ref) {
        log.warn(
          { err: error, ref: desired.ref, port: desired.port },
          'A database port is not open',
        )
        entry.problem = `Port ${desired.port} of this machine is in use by another program. Restart the project to give its database another port.`
      }
    }
    if (isClosed) port.close()
    else held.set(desired.port, entry)
  }

  async function look(): Promise<void> {
    const ports = await source.databasePorts()
    onPorts?.(ports)
    const desired = new Map(ports.map((one) => [one.port, one]))
    for (const [number, one] of held) {
      const now = desired.get(number)
      if (now?.ref === one.desired.ref && one.isOpen) {
        one.desired = now
        continue
      }
      // Connections that there are end with their server.
      one.port.close()
      held.delete(number)
    }
    for (const [number, one] of desired) if (!isClosed && !held.has(number)) await begin(one)
    clearTimeout(retry)
    if (!isClosed && [...held.values()].some(({ isOpen }) => !isOpen)) {
      retry = setTimeout(followUp, retryMs)
      retry.unref()
    }
  }

  /** One look after the other; who asks while one waits to begin shares it. Rejects when nobody tells. */
  function sync(): Promise<void> {
    waiting ??= running
      .catch(() => undefined)
      .then(() => {
        waiting = undefined
        running = look()
        return running
      })
    return waiting
  }
  function followUp(): void {
    // Programs start in any order; the next gap in the stream of changes, which tells when it lasts, looks again.
    sync().catch((error: unknown) => log.debug({ err: error }, 'Database ports are not known'))
  }
  const stop = source.onAnyChange(followUp)
  followUp()

  return {
    /** Looks now, and says what is open and from where. */
    async states(): Promise<DatabasePortState[]> {
      await sync()
      return [...held.values()].map(
        ({ desired: { ref, port, networks, ssl_enforced }, problem }) => ({
          ref,
          port,
          networks,
          ssl_enforced,
          problem,
        }),
      )
    },
    /** Whether this process takes the connections to a project's database. */
    holds: (ref: string): boolean =>
      [...held.values()].some(({ desired, isOpen }) => isOpen && desired.ref === ref),
    /** Ends every connection. */
    close(): void {
      isClosed = true
      stop()
      clearTimeout(retry)
      for (const { port } of held.values()) port.end()
      held.clear()
    },
  }
}
