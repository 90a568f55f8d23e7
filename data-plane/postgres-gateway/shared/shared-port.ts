import type { Socket } from 'node:net'
import type { Log } from '#kit/log'
import type { ScramKeys } from '#kit/postgres/scram-keys'
import type { ConnectionEvent } from '../events.ts'
import { bye } from '../farewell.ts'
import { createFrontDoor } from '../front-door.ts'
import { refOfHost } from '../host-ref.ts'
import type { Begun, Protection } from '../opening.ts'
import type { PortRules } from '../port.ts'
import {
  loginRefused,
  networkRefused,
  notRunning,
  otherStorage,
  paused,
  refusalMessage,
  sslRequired,
  tooMany,
  type Refusal,
} from '../refusals.ts'
import type { Startup } from '../startup.ts'
import type { Encryption } from '../tls/encryption.ts'
import type { CancelKeys } from './cancel-keys.ts'
import { createDialog, DialogError } from './dialog.ts'
import { negotiateVersion, readCancelRequest } from './messages.ts'
import { mockVerifier, signInClient } from './sign-in-client.ts'
import { isPlatformRole, readTarget, type Target } from './target.ts'
import type { Verifiers } from './verifiers.ts'

/** What holds of a project at the shared ports. `connections`: how many clients may be there at once in this mode. */
export type SharedRules = PortRules & {
  /** The path of the server's socket. */
  socketPath: string
  /** Connections to the server that clients in transaction mode share. */
  poolSize: number
}

/** A client that has signed in and has not been told so yet. `rest` is what it has sent since. */
export type Guest = {
  client: Socket
  address: string
  target: Target
  startup: Startup
  keys: ScramKeys
  rules: SharedRules
  rest: Buffer
  refuse: (refusal: Refusal, by: 'gateway' | 'server') => void
}

export type SharedPortOptions = {
  rulesOf: (ref: string) => SharedRules | undefined
  verifiers: Verifiers
  keys: CancelKeys
  tell: (ref: string, event: ConnectionEvent) => void
  /** Takes over who has signed in. */
  serve: (guest: Guest) => void
  log: Log
  /** Milliseconds that a client has to say who it is, and as many to prove it. */
  openingMs?: number | undefined
  encryption?: Pick<Encryption, 'context'> | undefined
}

/** Clients that have not proven who they are; where more come, the one that has waited longest is cut off. */
const mostUnproven = 500

/** Takes connections to the databases of all projects: each client says whose it means, and proves who it is, here. */
export function createSharedPort(options: SharedPortOptions) {
  const { rulesOf, verifiers, keys, tell, serve, log, openingMs = 10_000, encryption } = options
  const counts = new Map<string, number>()

  function objection(
    { ref, role }: Target,
    address: string,
    { isEncrypted }: Protection,
  ): Refusal | undefined {
    const rules = rulesOf(ref)
    if (rules && !rules.isAllowed(address)) return networkRefused(address)
    if (rules?.sslEnforced && !isEncrypted) return sslRequired
    if (isPlatformRole(role)) return loginRefused(role)
    if (!rules) return undefined
    if (rules.paused !== null) return paused(rules.paused)
    return (counts.get(ref) ?? 0) >= rules.connections ? tooMany : undefined
  }

  /** What is asked of a client: also of one that nobody knows, so that it learns no more than that it does not come in. */
  async function question({ ref, role }: Target) {
    if (rulesOf(ref)) return (await verifiers.of(ref, role)) ?? mockVerifier(`${ref} ${role}`)
    await verifiers.pretend()
    return mockVerifier(`${ref} ${role}`)
  }

  async function admit(begun: Begun & { kind: 'startup' }, address: string) {
    const { client, startup, first, protection } = begun
    const { endPoint } = protection
    const target = readTarget(first, refOfHost(protection.host))
    if ('refusal' in target) return bye(client, refusalMessage(target.refusal))
    const { ref, role } = target
    const who = { ...startup, user: role, database: target.database }
    const refuse = (refusal: Refusal, by: 'gateway' | 'server') => {
      bye(client, refusalMessage(refusal))
      if (rulesOf(ref)) tell(ref, { kind: 'refused', address, startup: who, refusal, by })
    }
    const refusal = objection(target, address, protection)
    if (refusal) return refuse(refusal, 'gateway')
    const dialog = createDialog(client, openingMs, first.subarray(first.readUInt32BE(0)))
    try {
      const verifier = await question(target)
      if (verifier === 'other') return refuse(otherStorage(role), 'gateway')
      if (target.isNewer || target.unknownOptions.length > 0)
        client.write(negotiateVersion(target.unknownOptions))
      const channel = { dialog, write: (bytes: Buffer) => client.write(bytes), endPoint }
      const outcome = await signInClient(channel, role, verifier)
      if ('refusal' in outcome) return refuse(outcome.refusal, 'gateway')
      // The project may have changed while the client thought.
      const late = objection(target, address, protection)
      const rules = rulesOf(ref)
      if (late || !rules) return refuse(late ?? notRunning, 'gateway')
      counts.set(ref, (counts.get(ref) ?? 0) + 1)
      client.once('close', () => leave(ref))
      dialog.leave()
      const rest = dialog.rest()
      serve({ client, address, target, startup: who, keys: outcome.keys, rules, rest, refuse })
    } catch (error) {
      if (error instanceof DialogError) return void client.destroy()
      log.warn({ err: error, ref }, 'Nobody tells by which password a role signs in')
      refuse(notRunning, 'gateway')
    } finally {
      dialog.leave()
    }
  }
  function leave(ref: string): void {
    const left = (counts.get(ref) ?? 1) - 1
    if (left > 0) counts.set(ref, left)
    else counts.delete(ref)
  }

  const door = createFrontDoor({
    mostUnproven,
    openingMs,
    encryption,
    async meet(begun, address, proven) {
      const { client } = begun
      if (begun.kind === 'refused') return bye(client, refusalMessage(begun.refusal))
      if (begun.kind === 'startup') {
        await admit(begun, address)
        return proven()
      }
      if (begun.kind === 'cancel') {
        const holder = keys.find(readCancelRequest(begun.first))
        if (holder && rulesOf(holder.ref)?.isAllowed(address)) await holder.cancel()
      }
      client.destroy()
    },
  })
  return { listen: door.listen, close: door.close }
}
export type SharedPort = ReturnType<typeof createSharedPort>
