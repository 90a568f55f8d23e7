import type { Tx } from '../../platform-database/database.ts'
import { hashEntry, type Change } from './chain.ts'
import type { AuditStore } from './store.ts'

/** Writes the entry in the transaction of the change itself, so that one is never there without the other. */
export type RecordChange = (tx: Tx, change: Change) => Promise<void>

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
