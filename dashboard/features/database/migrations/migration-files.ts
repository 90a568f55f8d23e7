import type { Migration } from '#contract/database/migrations'
import { splitStatements } from '#contract/database/sql/sql-statements'

export type MigrationFile = { file: string; sql: string }
export type PendingState = 'new' | 'older' | 'applied' | 'different' | 'unnamed' | 'empty' | 'twice'
export type Pending = {
  file: string
  sql: string
  version: string
  name: string
  state: PendingState
}

/** 20260131235959_add_books.sql: its version and its name; undefined when it is not called like that. */
export function readFileName(file: string): { version: string; name: string } | undefined {
  const parts = /^(\d{1,20})(?:_([\w.-]*))?\.sql$/i.exec(file.trim())
  return parts?.[1] === undefined
    ? undefined
    : { version: parts[1], name: (parts[2] ?? '').slice(0, 120) }
}

const textsOf = (sql: string) => splitStatements(sql).map(({ text }) => text.trim())
const sameText = (a: readonly string[], b: readonly string[]) =>
  a.join(';').replace(/\s+/g, ' ') === b.join(';').replace(/\s+/g, ' ')

/** Files in the order in which they apply, each with what it is beside what is recorded. */
export function planOf(files: readonly MigrationFile[], recorded: readonly Migration[]): Pending[] {
  const known = new Map(recorded.map((migration) => [migration.version, migration]))
  const newest = recorded
    .map(({ version }) => version)
    .filter((version) => /^\d{14}$/.test(version))
    .reduce((a, b) => (a > b ? a : b), '')
  const seen = new Set<string>()
  const stateOf = (version: string | undefined, sql: string): PendingState => {
    if (version === undefined) return 'unnamed'
    if (seen.has(version)) return 'twice'
    seen.add(version)
    const there = known.get(version)
    const statements = textsOf(sql)
    if (!there) {
      if (statements.length === 0) return 'empty'
      return newest > version ? 'older' : 'new'
    }
    // Other tools keep the text with its semicolons and comments, or do not keep it at all.
    const kept = textsOf(there.statements.join(';\n'))
    return kept.length === 0 || sameText(kept, statements) ? 'applied' : 'different'
  }
  return files
    .map((one) => ({ ...one, named: readFileName(one.file) }))
    .toSorted((a, b) => {
      if (!a.named || !b.named) return Number(!a.named) - Number(!b.named)
      return a.named.version.localeCompare(b.named.version, 'en', { numeric: true })
    })
    .map(({ file, sql, named }) => ({
      file,
      sql,
      version: named?.version ?? '',
      name: named?.name ?? '',
      state: stateOf(named?.version, sql),
    }))
}

/** The moment in a version such as `20260131235959`, in UTC; undefined for versions that are only numbers. */
export function momentOf(version: string): string | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(version)
  if (!parts) return undefined
  const [, year, month, day, hour, minute, second] = parts
  const text = `${year}-${month}-${day}T${hour}:${minute}:${second}Z`
  return Number.isNaN(Date.parse(text)) ? undefined : text
}
