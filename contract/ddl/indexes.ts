import { changeName, type Change } from './change.ts'
import { ident, qualified } from './sql-text.ts'

export const indexMethods = ['btree', 'hash', 'gist', 'spgist', 'brin', 'gin'] as const
export type IndexMethod = (typeof indexMethods)[number]

/** Most columns of one index: Postgres's own limit. */
export const maxIndexColumns = 32

export type IndexColumn = {
  name: string
  /** Only for what keeps an order, which is btree. */
  descending?: boolean
}

export type NewIndex = {
  schema: string
  table: string
  /** Made from table and columns unless told. */
  name?: string | undefined
  columns: readonly IndexColumn[]
  method: IndexMethod
  unique?: boolean
  /** SQL: only rows of which this holds are in it. */
  where?: string | undefined
  /** Without stopping writes; then it is one statement outside of a transaction. */
  concurrently?: boolean
}

const utf8 = new TextEncoder()

/** Cut to what Postgres keeps of a name (63 bytes), never in the middle of a character. */
function cut(text: string, bytes: number): string {
  let kept = ''
  for (const character of text) {
    if (utf8.encode(kept + character).length > bytes) break
    kept += character
  }
  return kept
}

/** `books_author_year_idx`, as Postgres itself would name it. */
export const indexName = (table: string, columns: readonly IndexColumn[]) =>
  `${cut([table, ...columns.map(({ name }) => name)].join('_'), 59)}_idx`

export function createIndex(desired: NewIndex): Change {
  const { schema, table, columns, method, unique, where, concurrently } = desired
  const name = desired.name || indexName(table, columns)
  const keys = columns.map((column) =>
    column.descending && method === 'btree' ? `${ident(column.name)} desc` : ident(column.name),
  )
  const head = ['create', unique ? 'unique index' : 'index', concurrently ? 'concurrently' : '']
  // On lines of its own: a comment at the end of what somebody wrote must not swallow the bracket.
  const filter = where?.trim() ? ` where (\n${where.trim()}\n)` : ''
  return {
    name: changeName('create_index', name),
    statements: [
      `${head.filter(Boolean).join(' ')} ${ident(name)} on ${qualified(schema, table)} using ${method} (${keys.join(', ')})${filter}`,
    ],
    inverse: [
      `drop index ${concurrently ? 'concurrently ' : ''}if exists ${qualified(schema, name)}`,
    ],
    ...(concurrently ? { transaction: false } : {}),
  }
}

export function dropIndex(
  { schema, name, definition }: { schema: string; name: string; definition: string },
  { concurrently = false, cascade = false }: { concurrently?: boolean; cascade?: boolean } = {},
): Change {
  return {
    name: changeName('drop_index', name),
    statements: [
      `drop index ${concurrently ? 'concurrently ' : ''}${qualified(schema, name)}${cascade ? ' cascade' : ''}`,
    ],
    // The definition is Postgres's own text, so it makes the same index again.
    inverse: [definition],
    ...(concurrently ? { transaction: false } : {}),
  }
}

/** Makes it anew without stopping reads or writes: for one that is bloated, or that a failed build has left invalid. */
export const rebuildIndex = ({ schema, name }: { schema: string; name: string }): Change => ({
  name: changeName('rebuild_index', name),
  statements: [`reindex index concurrently ${qualified(schema, name)}`],
  transaction: false,
})
