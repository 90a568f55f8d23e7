import { chown, link, mkdtemp, rm, stat } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import type { DatabasePort } from '#contract/internal-api'
import { silentLog } from '#kit/log'
import { freePort } from '#kit/testing/free-port'
import type { TestDatabase } from '#kit/testing/postgres'
import { createCounting } from '../postgres-gateway/counting.ts'
import type { ConnectionEvent } from '../postgres-gateway/events.ts'
import type { Encryption } from '../postgres-gateway/tls/encryption.ts'
import { createPostgresGateway } from '../postgres-gateway/postgres-gateway.ts'

export const gatewayRef = 'gatewayoftestsaaaaaa'

/** A folder with the socket of a server under another name, which has the port of the gateway in it. */
export async function socketFor(
  { host, port: own }: Pick<TestDatabase, 'host' | 'port'>,
  port: number,
) {
  // Beside it: a second name is of the same file system.
  const folder = await mkdtemp(join(dirname(host), 'gateway-'))
  const socket = join(host, `.s.PGSQL.${own}`)
  const { uid, gid } = await stat(socket)
  await chown(folder, uid, gid)
  await link(socket, join(folder, `.s.PGSQL.${port}`))
  return { folder, remove: () => rm(folder, { recursive: true }) }
}

/** A gateway of one port in front of the test server, and what it tells and counts. */
export async function startGateway(
  database: Pick<TestDatabase, 'host' | 'port'>,
  given: Partial<DatabasePort> & { openingMs?: number; encryption?: Encryption } = {},
) {
  const { openingMs, encryption, ...rules } = given
  const port = rules.port ?? (await freePort())
  const { folder, remove } = await socketFor(database, port)
  let desired: DatabasePort[] = [
    {
      ref: gatewayRef,
      port,
      host: folder,
      connections: 500,
      pool: { size: 10, clients: 200 },
      networks: null,
      ssl_enforced: false,
      paused: null,
      replicas: [],
      ...rules,
    },
  ]
  const events: ConnectionEvent[] = []
  const counts = new Map<string, number>()
  const counting = createCounting((_, metric, amount) => {
    counts.set(metric, (counts.get(metric) ?? 0) + amount)
  })
  const changed = new Set<() => void>()
  const gateway = createPostgresGateway({
    source: {
      databasePorts: () => Promise.resolve(desired),
      onAnyChange(listener) {
        changed.add(listener)
        return () => changed.delete(listener)
      },
    },
    tell(ref, event) {
      if (event.kind === 'opened') counting.opened(ref, event.session)
      if (event.kind === 'ended') counting.ended(event.session)
      events.push(event)
    },
    log: silentLog,
    openingMs,
    encryption,
  })
  const states = await gateway.states()
  return {
    gateway,
    port,
    /** Of the socket. */
    folder,
    states,
    events,
    counts,
    look: counting.look,
    figures: () => counting.figures(gatewayRef),
    async change(now: Partial<DatabasePort>[]) {
      const [first] = desired
      if (first) desired = now.map((one) => ({ ...first, ...one }))
      await gateway.states()
    },
    async close() {
      gateway.close()
      await remove()
    },
    /** What `kind` of events there were. */
    of: (kind: ConnectionEvent['kind']) => events.filter((event) => event.kind === kind),
  }
}
export type TestGateway = Awaited<ReturnType<typeof startGateway>>

/** A startup packet with these parameters, in this order. */
export function startupPacket(parameters: [string, string][], code = 196_608): Buffer {
  const body = Buffer.from(
    `${parameters
      .flat()
      .map((text) => `${text}\0`)
      .join('')}\0`,
  )
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8, 0)
  head.writeUInt32BE(code, 4)
  return Buffer.concat([head, body])
}

/** A connection that sends `bytes`; what came until its end, as latin1. */
export function raw(port: number, bytes: Buffer | string, localAddress = '127.0.0.1') {
  const socket: Socket = connect({ port, host: '127.0.0.1', localAddress })
  let answer = ''
  socket.on('data', (chunk) => (answer += chunk.toString('latin1')))
  // What is refused may be broken off; the answer until then is what is asked for.
  socket.on('error', () => undefined)
  socket.write(bytes)
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(answer)))
  return { socket, ended, answer: () => answer }
}
