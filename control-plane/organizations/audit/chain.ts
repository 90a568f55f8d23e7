import { createHash } from 'node:crypto'
import type { Origin } from '#kit/http'

/** One accepted change: who did what to which thing. `change` holds before and after, and never a secret. */
export type Change = {
  organizationId: string | null
  actor: { userId: string; email: string } | null
  /** Such as `projects.create`: the endpoint's name. */
  action: string
  /** Such as `project:abcdefghijklmnopqrst`. */
  target: string
  change: Record<string, unknown>
  origin: Origin | null
}

/** First link of every chain. */
export const chainStart = '0'.repeat(64)

/**
 * The hash of an entry: everything its row holds and the hash before it. The change is written with sorted keys, since
 * the database keeps it in an order of its own.
 */
export function hashEntry(previous: string, change: Change, occurredAt: string): string {
  const { actor, origin } = change
  const parts = [
    previous,
    occurredAt,
    change.organizationId,
    actor?.userId ?? null,
    actor?.email ?? null,
    change.action,
    change.target,
    inOrder(JSON.parse(JSON.stringify(change.change))),
    origin?.ip ?? null,
    origin?.userAgent ?? null,
    origin?.requestId ?? null,
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, held]) => [key, inOrder(held)] as const)
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
