import type { SumMetric } from '#contract/billing/usage-metrics'
import type { Session } from './session.ts'

type Count = (ref: string, metric: SumMetric, amount: number) => void
type Counted = { ref: string; toClient: number; fromClient: number; minute: number }

/** Of one project: connections that are open, and bytes from and to clients since this process began. */
export type GatewayFigures = { connections: number; received: number; sent: number }

const minuteMs = 60_000

/**
 * Counts what clients got from their databases, also while they get it, and in how many minutes each connection was used: when it
 * was opened, and when it carried something.
 */
export function createCounting(add: Count, now: () => number = Date.now) {
  const open = new Map<Session, Counted>()
  /** Of connections that have ended, by ref. */
  const past = new Map<string, { received: number; sent: number }>()

  function look(session: Session, counted: Counted): void {
    const { toClient, fromClient } = session.bytes()
    const hasCarried = toClient > counted.toClient || fromClient > counted.fromClient
    if (toClient > counted.toClient) {
      add(counted.ref, 'egress_database', toClient - counted.toClient)
      counted.toClient = toClient
    }
    counted.fromClient = fromClient
    const minute = Math.floor(now() / minuteMs)
    if (!hasCarried || minute === counted.minute) return
    counted.minute = minute
    add(counted.ref, 'database_connections', 1)
  }

  return {
    opened(ref: string, session: Session): void {
      open.set(session, { ref, toClient: 0, fromClient: 0, minute: Math.floor(now() / minuteMs) })
      add(ref, 'database_connections', 1)
    },
    ended(session: Session): void {
      const counted = open.get(session)
      if (!counted) return
      look(session, counted)
      const { received, sent } = past.get(counted.ref) ?? { received: 0, sent: 0 }
      past.set(counted.ref, {
        received: received + counted.fromClient,
        sent: sent + counted.toClient,
      })
      open.delete(session)
    },
    figures(ref: string): GatewayFigures {
      const sums = { connections: 0, received: 0, sent: 0, ...past.get(ref) }
      for (const [session, counted] of open) {
        if (counted.ref !== ref) continue
        const { fromClient, toClient } = session.bytes()
        sums.connections += 1
        sums.received += fromClient
        sums.sent += toClient
      }
      return sums
    },
    /** Adds what has come since the last look. */
    look(): void {
      for (const [session, counted] of open) look(session, counted)
    },
  }
}
