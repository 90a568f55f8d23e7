import { createHash } from 'node:crypto'
import type { Origin } from '#kit/http'
import type { Tx } from '../database/database.ts'
import type { AuditStore } from './store.ts'

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

/** Writes the entry in the transaction of the change itself, so that one is never there without the other. */
export type RecordChange = (tx: Tx, change: Change) => Promise<void>

/** First link of every chain. */
export const chainStart = '0'.repeat(64)

/** The hash of an entry: everything in it and the hash before it. */
export function hashEntry(previous: string, change: Change, occurredAt: string): string {
  return createHash('sha256')
    .update(JSON.stringify([previous, occurredAt, change]))
    .digest('hex')
}

export const createAudit =
  (store: AuditStore): RecordChange =>
  async (tx, change) => {
    const previous = await store.lockChain(tx, change.organizationId)
    const occurredAt = new Date()
    await store.append(tx, {
      ...change,
      occurredAt,
      previous,
      hash: hashEntry(previous, change, occurredAt.toISOString()),
    })
  }
