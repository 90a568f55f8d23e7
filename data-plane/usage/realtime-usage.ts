import type { Meter } from './meter.ts'

/** What a project's realtime service has done since this process began, and the sockets that are open. */
type Total = {
  ref: string
  counts: { received: number; delivered: number; presence: number }
  connected: number
}

/**
 * Counts messages, each that came in and each that went to a client, since it was called the last time; and how many
 * clients are connected, also in a minute in which none comes or goes.
 */
export function meterRealtime(meter: Meter, totals: () => readonly Total[]): () => void {
  const before = new Map<string, number>()
  return () => {
    for (const { ref, counts, connected } of totals()) {
      const messages = counts.received + counts.delivered + counts.presence
      meter.add(ref, 'realtime_messages', messages - (before.get(ref) ?? 0))
      before.set(ref, messages)
      meter.peak(ref, 'realtime_connections', connected)
    }
  }
}
