import type { ConnectionEvent } from '../events.ts'
import { pass, type Session } from '../session.ts'
import type { CancelKeys } from './cancel-keys.ts'
import { authentication, keyData, parameterStatus, readyForQuery } from './messages.ts'
import { cancelAt, LoginError, openServer } from './server-login.ts'
import type { Guest } from './shared-port.ts'
import type { Verifiers } from './verifiers.ts'

type Options = {
  keys: CancelKeys
  verifiers: Verifiers
  tell: (ref: string, event: ConnectionEvent) => void
}

/** Gives each client a connection to the server of its own, for as long as it stays: everything that Postgres can do works. */
export function createSessionMode({ keys, verifiers, tell }: Options) {
  /** And whose they are. */
  const open = new Map<Session, string>()

  async function serve(guest: Guest): Promise<void> {
    const { client, address, target, startup, rules, rest, refuse } = guest
    const { ref, role, database, parameters } = target
    const server = await openServer(
      rules.socketPath,
      [['user', role], ['database', database], ...parameters],
      guest.keys,
    ).catch((error: unknown) => {
      if (!(error instanceof LoginError)) throw error
      // The password is another one since.
      if (error.refusal.code === '28P01') verifiers.forget(ref, role)
      refuse(error.refusal, 'server')
      return undefined
    })
    if (!server) return
    if (client.destroyed) return void server.socket.destroy()
    const key = keys.claim({ ref, cancel: () => cancelAt(rules.socketPath, server.key) })
    client.write(
      Buffer.concat([
        authentication(0),
        ...[...server.parameters].map(([name, value]) => parameterStatus(name, value)),
        keyData(key),
        ...server.notices,
        readyForQuery,
      ]),
    )
    const beganAt = performance.now()
    const facts = { address, startup, mode: 'session' } as const
    const { processId } = server.key
    const session = pass(client, server.socket, {
      onEnd() {
        keys.release(key)
        open.delete(session)
        const seconds = (performance.now() - beganAt) / 1000
        tell(ref, { kind: 'ended', ...facts, processId, seconds, session })
      },
    })
    if (rest.length > 0) server.socket.write(rest)
    open.set(session, ref)
    tell(ref, { kind: 'opened', session })
    tell(ref, { kind: 'connected', ...facts, processId })
  }
  return {
    serve: (guest: Guest): void => void serve(guest),
    /** Ends the sessions of one tenant. */
    restart(tenant: string): void {
      for (const [session, ref] of open) if (ref === tenant) session.end()
    },
    /** Ends every session. */
    end(): void {
      for (const session of open.keys()) session.end()
    },
  }
}
