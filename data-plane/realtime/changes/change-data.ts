import type { TableFacts } from './changes-store.ts'
import type { Change, Values } from './wal-store.ts'

/** Bytes of values that one change brings at most; of a larger one only the short values go out. */
const maxBytes = 1024 * 1024
const shortBytes = 64

export const pick = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(
    names.filter((name) => name in values).map((name) => [name, values[name] ?? null]),
  )

/** A change as a client hears it. `columns` are those that the reader may see; with an error there are no values. */
export function dataOf(
  change: Change,
  facts: TableFacts,
  columns: string[],
  error: string | undefined,
) {
  const { table, type, record, old, at } = change
  const shown = error === undefined ? columns : []
  // Of what was deleted nobody can say whether a reader could have seen it: only the key goes out where that matters.
  const oldNames =
    type === 'DELETE' && facts.isGuarded ? shown.filter((name) => facts.keys.includes(name)) : shown
  const now = record ? pick(record, shown) : {}
  const before = type === 'INSERT' ? {} : pick(old ?? pick(record ?? {}, facts.keys), oldNames)
  const isLarge = bytesOf(now) + bytesOf(before) > maxBytes
  const message = error ?? (isLarge ? 'Error 413: Payload Too Large' : undefined)
  return {
    schema: table.schema,
    table: table.name,
    commit_timestamp: new Date(at).toISOString(),
    type,
    columns: table.columns
      .filter(({ name }) => shown.includes(name))
      .map(({ name }) => ({ name, type: facts.types[name] ?? 'text' })),
    record: isLarge ? onlyShort(now) : now,
    old_record: isLarge ? onlyShort(before) : before,
    errors: message === undefined ? null : [message],
  }
}

const bytesOf = (values: Values): number =>
  Object.values(values).reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0)

const onlyShort = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).filter(([, text]) => Buffer.byteLength(text ?? '') <= shortBytes),
  )
