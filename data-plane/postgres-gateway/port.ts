import type { Socket } from 'node:net'
import type { Backends } from './backends.ts'
import type { ConnectionEvent } from './events.ts'
import { bye } from './farewell.ts'
import { createFrontDoor } from './front-door.ts'
import { refOfHost } from './host-ref.ts'
import type { Begun, Protection } from './opening.ts'
import {
  loginRefused,
  networkRefused,
  notRunning,
  otherHost,
  paused,
  refusalMessage,
  sslRequired,
  tooMany,
  type Refusal,
} from './refusals.ts'
import { pass, type Session } from './session.ts'
import type { Startup } from './startup.ts'
import type { Encryption } from './tls/encryption.ts'

/** What holds of a port now; read for each connection that begins. */
export type PortRules = {
  ref: string
  /** Connections at once at most. */
  connections: number
  isAllowed: (address: string) => boolean
  /** Only encrypted connections are taken. */
  sslEnforced: boolean
  /** Where the project is resumed while it is paused. */
  paused: string | null
}
export type PortOptions = {
  rules: () => PortRules
  backends: Backends
  tell: (ref: string, event: ConnectionEvent) => void
  /** Milliseconds that a client has for its startup packet. */
  openingMs?: number | undefined
  encryption?: Pick<Encryption, 'context'> | undefined
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

/** Takes connections of clients to one project's database. It listens once `listen` is called. */
export function createPort({ rules, backends, tell, openingMs, encryption }: PortOptions) {
  const open = new Set<Open>()
  /** Let through, and not connected to the server yet. */
  let opening = 0

  function refuse(client: Socket, address: string, refusal: Refusal, startup?: Startup): void {
    bye(client, refusalMessage(refusal))
    tell(rules().ref, { kind: 'refused', address, startup, refusal, by: 'gateway' })
  }

  function objection(startup: Startup, address: string, by: Protection): Refusal | undefined {
    const { ref, connections, isAllowed, sslEnforced, paused: resumeUrl } = rules()
    if (!isAllowed(address)) return networkRefused(address)
    const named = refOfHost(by.host)
    if (by.host !== undefined && named !== undefined && named !== ref) return otherHost(by.host)
    if (sslEnforced && !by.isEncrypted) return sslRequired
    if (neverAdmitted.includes(startup.user)) return loginRefused(startup.user)
    if (resumeUrl !== null) return paused(resumeUrl)
    return open.size + opening >= connections ? tooMany : undefined
  }

  async function lead(begun: Begun & { kind: 'startup' }, address: string) {
    const { client, startup, first } = begun
    const { ref } = rules()
    const refusal = objection(startup, address, begun.protection)
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

  async function meet(begun: Begun, address: string): Promise<void> {
    const { client } = begun
    if (begun.kind === 'refused') return refuse(client, address, begun.refusal)
    if (begun.kind === 'startup') return lead(begun, address)
    if (begun.kind === 'question' && isHere(address)) return bye(client, `${rules().ref}\n`)
    if (begun.kind === 'cancel' && rules().isAllowed(address)) await backends.cancel(begun.first)
    client.destroy()
  }

  const door = createFrontDoor({
    mostUnproven: mostSilent,
    openingMs,
    encryption,
    meet(begun, address, proven) {
      proven()
      return meet(begun, address)
    },
  })

  return {
    /** The connections that have been let through. */
    open: open as ReadonlySet<Open>,
    /** Rejects with the error of the system where that is not possible. */
    listen: door.listen,
    /** Takes no more connections. Those that there are go on until they, or the server, end. */
    close: door.close,
    /** Ends those that there are, too. */
    end(): void {
      door.close()
      for (const { session } of open) session.end()
    },
  }
}
export type Port = ReturnType<typeof createPort>

const isHere = (address: string) => address.startsWith('127.') || address === '::1'
