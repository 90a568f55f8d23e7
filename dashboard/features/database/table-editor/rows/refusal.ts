import type { RowRefusal } from '#contract/database/rows/table-rows'
import type { CallError } from '../../../../api/client.ts'
import { keyText, type Staged } from './staged.ts'

/** The staged change that a save was refused for, and which of its cells. */
export type Refusal = {
  kind: 'delete' | 'update' | 'insert'
  /** By which it is staged. */
  id: string
  /** What its row is called. */
  name: string
  columns: readonly string[]
  /** As it was sent. */
  sent: unknown
}

/** In the order of `changesOf`. */
function sentOf({ deletes, updates, inserts }: Staged): Omit<Refusal, 'columns'>[] {
  const rowName = (key: Readonly<Record<string, string>>) => `Row ${keyText(key)}`
  return [
    ...Object.entries(deletes).map(([id, sent]) => ({
      kind: 'delete' as const,
      id,
      name: rowName(sent.key),
      sent,
    })),
    ...Object.entries(updates).map(([id, sent]) => ({
      kind: 'update' as const,
      id,
      name: rowName(sent.key),
      sent,
    })),
    ...inserts.map((sent, at) => ({
      kind: 'insert' as const,
      id: sent.id,
      name: `New row ${at + 1}`,
      sent,
    })),
  ]
}

/** What the server says of the change that it refused. */
export function refusedBy({ answer }: Pick<CallError, 'answer'>): RowRefusal {
  const { change, columns, detail, hint } = answer
  return {
    ...(typeof change === 'number' ? { change } : {}),
    ...(Array.isArray(columns)
      ? { columns: columns.filter((name): name is string => typeof name === 'string') }
      : {}),
    ...(typeof detail === 'string' ? { detail } : {}),
    ...(typeof hint === 'string' ? { hint } : {}),
  }
}

export function refusalOf(error: Pick<CallError, 'answer'>, staged: Staged): Refusal | undefined {
  const { change, columns = [] } = refusedBy(error)
  const one = change === undefined ? undefined : sentOf(staged)[change]
  return one && { ...one, columns }
}

/** Whether the change is still staged as it was refused. */
export function stands({ kind, id, sent }: Refusal, now: Staged): boolean {
  switch (kind) {
    case 'delete':
      return now.deletes[id] === sent
    case 'update':
      return now.updates[id] === sent
    case 'insert':
      return now.inserts.includes(sent as Staged['inserts'][number])
  }
}
