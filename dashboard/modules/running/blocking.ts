import type { Session } from '#contract/database/activity'

export type Node = { session: Session; depth: number }

/**
 * Sessions with whom they hold up below them: who waits stands under the first of those it waits for. In a circle, which
 * Postgres breaks by itself after a second, everybody stands somewhere once.
 */
export function blockingTree(sessions: readonly Session[]): Node[] {
  const known = new Set(sessions.map(({ pid }) => pid))
  const blockerOf = ({ pid, blocked_by }: Session) =>
    blocked_by.find((blocker) => blocker !== pid && known.has(blocker))
  const waiting = new Map<number | undefined, Session[]>()
  for (const session of sessions) {
    const blocker = blockerOf(session)
    waiting.set(blocker, [...(waiting.get(blocker) ?? []), session])
  }
  const nodes: Node[] = []
  const placed = new Set<number>()
  const place = (session: Session, depth: number) => {
    if (placed.has(session.pid)) return
    placed.add(session.pid)
    nodes.push({ session, depth })
    for (const next of waiting.get(session.pid) ?? []) place(next, depth + 1)
  }
  for (const session of waiting.get(undefined) ?? []) place(session, 0)
  for (const session of sessions) place(session, 0)
  return nodes
}

/** Those at work, waiting, or holding a transaction open: what one looks for. */
export const isBusy = ({ state, blocked_by }: Session) =>
  blocked_by.length > 0 || (state !== null && state !== 'idle')

/** Whom to keep of a narrowed list: the matching ones, and who holds them up. */
export function narrowed(
  sessions: readonly Session[],
  keep: (session: Session) => boolean,
): Session[] {
  const byPid = new Map(sessions.map((session) => [session.pid, session]))
  const kept = new Set<number>()
  const add = (session: Session) => {
    if (kept.has(session.pid)) return
    kept.add(session.pid)
    for (const pid of session.blocked_by) {
      const blocker = byPid.get(pid)
      if (blocker) add(blocker)
    }
  }
  for (const session of sessions) if (keep(session)) add(session)
  return sessions.filter(({ pid }) => kept.has(pid))
}

/** How long from `since` until `now`, as `4 s`, `2 min 5 s`, `3 h 12 min`; both to the microsecond. */
export function lasting(since: string | null, now: string): string {
  if (since === null) return ''
  const seconds = Math.max(0, Math.floor((Date.parse(now) - Date.parse(since)) / 1000))
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`
}
