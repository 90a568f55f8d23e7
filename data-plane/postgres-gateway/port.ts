import { createServer, type Socket } from 'node:net'
import type { Backends } from './backends.ts'
import type { ConnectionEvent } from './events.ts'
import { plainAddress } from './networks.ts'
import { readOpening } from './opening.ts'
import {
  loginRefused,
  networkRefused,
  notRunning,
  paused,
  refusalMessage,
  tooMany,
  type Refusal,
} from './refusals.ts'
import { pass, type Session } from './session.ts'
import type { Startup } from './startup.ts'

/** What holds of a port now; read for each connection that begins. */
export type PortRules = {
  ref: string
  /** Connections at once at most. */
  connections: number
  isAllowed: (address: string) => boolean
  /** Where the project is resumed while it is paused. */
  paused: string | null
}
export type PortOptions = {
  rules: () => PortRules
  backends: Backends
  tell: (ref: string, event: ConnectionEvent) => void
  /** Milliseconds that a client has for its startup packet. */
  openingMs?: number
}
/** A connection that has been let through to the server. */
export type Open = { ref: string; session: Session }

/**
 * The superuser of every project's server: the platform's own, over the server's socket. The server would ask it for a password;
 * over the network it is not asked at all.
 */
const neverAdmitted = ['supabase_admin']

/** Clients that have not said who they are yet; where more come, the one that has waited longest is cut off. */
const mostSilent = 100
const keepAliveMs = 60_000
/** A refused client has this long to take its message. */
const farewellMs = 1000

/** Takes connections of clients to one project's database. It listens once `listen` is called. */
export function createPort({ rules, backends, tell, openingMs = 10_000 }: PortOptions) {
  const silent = new Set<Socket>()
  const open = new Set<Open>()
  /** Let through, and not connected to the server yet. */
  let opening = 0

  function bye(client: Socket, message: Buffer | string): void {
    client.end(message)
    client.resume()
    const timer = setTimeout(() => client.destroy(), farewellMs)
    client.once('close', () => clearTimeout(timer))
  }
  function refuse(client: Socket, address: string, refusal: Refusal, startup?: Startup): void {
    bye(client, refusalMessage(refusal))
    tell(rules().ref, { kind: 'refused', address, startup, refusal, by: 'gateway' })
  }

  function objection(startup: Startup, address: string): Refusal | undefined {
    const { connections, isAllowed, paused: resumeUrl } = rules()
    if (!isAllowed(address)) return networkRefused(address)
    if (neverAdmitted.includes(startup.user)) return loginRefused(startup.user)
    if (resumeUrl !== null) return paused(resumeUrl)
    return open.size + opening >= connections ? tooMany : undefined
  }

  async function lead(client: Socket, address: string, startup: Startup, first: Buffer) {
    const { ref } = rules()
    const refusal = objection(startup, address)
    if (refusal) return refuse(client, address, refusal, startup)
    opening++
    const server = await backends.open(startup, first).catch(() => undefined)
    opening--
    if (!server) return refuse(client, address, notRunning, startup)
    if (client.destroyed) return void server.destroy()
    const beganAt = performance.now()
    const facts = { address, startup }
    let processId: number | undefined
    const session = pass(client, server, {
      onSignIn(outcome) {
        if ('refusal' in outcome)
          return tell(ref, { kind: 'refused', ...facts, refusal: outcome.refusal, by: 'server' })
        processId = outcome.processId
        tell(ref, { kind: 'connected', ...facts, processId })
      },
      onEnd() {
        open.delete(entry)
        const seconds = (performance.now() - beganAt) / 1000
        tell(ref, { kind: 'ended', ...facts, processId, seconds, session })
      },
    })
    const entry = { ref, session }
    open.add(entry)
    tell(ref, { kind: 'opened', session })
  }

  async function take(client: Socket): Promise<void> {
    // Whatever breaks a connection off closes it, and that is what is listened to.
    client.on('error', () => client.destroy())
    const address = plainAddress(client.remoteAddress)
    const [oldest] = silent
    if (silent.size >= mostSilent) oldest?.destroy()
    silent.add(client)
    const begun = await readOpening(client, openingMs)
    silent.delete(client)
    if (begun.kind === 'refused') return refuse(client, address, begun.refusal)
    if (begun.kind === 'startup') return lead(client, address, begun.startup, begun.first)
    if (begun.kind === 'question' && isHere(address)) return bye(client, `${rules().ref}\n`)
    if (begun.kind === 'cancel' && rules().isAllowed(address)) await backends.cancel(begun.first)
    client.destroy()
  }

  const server = createServer({
    allowHalfOpen: true,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveMs,
  })
  server.on('connection', (client) => void take(client))

  function close(): void {
    server.close()
    for (const client of silent) client.destroy()
  }

  return {
    /** The connections that have been let through. */
    open: open as ReadonlySet<Open>,
    /** Rejects with the error of the system where that is not possible. */
    listen: (host: string, port: number) =>
      new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen({ host, port }, () => {
          server.off('error', reject)
          // A connection that could not be taken, for want of file descriptors perhaps, is the client's to try again.
          server.on('error', () => undefined)
          resolve()
        })
      }),
    /** Takes no more connections. Those that there are go on until they, or the server, end. */
    close,
    /** Ends those that there are, too. */
    end(): void {
      close()
      for (const { session } of open) session.end()
    },
  }
}
export type Port = ReturnType<typeof createPort>

const isHere = (address: string) => address.startsWith('127.') || address === '::1'
