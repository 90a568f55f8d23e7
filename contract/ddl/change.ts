/**
 * A change of a database's structure as it is shown, carried out and recorded (issue-wide rule: every change made by
 * clicking is shown as SQL first and becomes a named migration). Builders beside this file make them; they are pure and
 * used by the dashboard and by the metadata API alike, so that what is shown is what runs.
 */
export type Change = {
  /** Becomes the migration's name, as `create_table_books`. */
  name: string
  /** SQL without the semicolon at its end, in the order in which it runs. */
  statements: string[]
  /** What takes it back; missing where nothing can (what a drop has dropped). */
  inverse?: string[]
  /** False: one statement that Postgres refuses inside a transaction, as `create index concurrently`. */
  transaction?: boolean
}

/** Longest name of a migration. */
export const longestName = 120

/** Words to a migration's name: `create table`, `Böoks` → `create_table_b_oks`. */
export function changeName(...words: string[]): string {
  const name = words
    .join(' ')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  return name.slice(0, longestName) || 'change'
}

/** A change as one text to read, copy or run. */
export const sqlOf = (statements: readonly string[]) =>
  statements.map((statement) => `${statement};`).join('\n\n')
