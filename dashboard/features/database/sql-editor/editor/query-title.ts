import { readItem, type ScriptItem } from '#contract/database/sql/sql-script'
import { readQuery } from '../../../../modules/sql/saved-query.ts'
import { unnamed, type Values, longestName } from '../running/query-values.ts'
import { askOnce } from '../../../../session/identity/ask-once.ts'
import type { Draft } from '../../../../session/identity/drafts.ts'

const longestTitle = 48
/** As much of a text as its title is read from. */
const looked = 2000

/** What a text is called by itself: the comment that it begins with, else its first statement. */
export function titleOfText(sql: string): string | undefined {
  const head = sql.slice(0, looked)
  const comment = /^\s*--[ \t]*([^\n]*[\p{L}\p{N}][^\n]*)/u.exec(head)?.[1]
  if (comment) return short(comment)
  let first: string | undefined
  for (let at = 0; at < head.length;) {
    const { item, next } = readItem(head, at)
    if (item && !isPreparation(item)) return short(item.text)
    first ??= item?.text
    at = next
  }
  return first === undefined ? undefined : short(first)
}

/** What only makes ready for what comes behind it says little of a text. */
function isPreparation({ meta, words: [first = ''] }: ScriptItem): boolean {
  return meta ? !/^(?:d|l|copy|conninfo)/.test(meta.name) : prepares.has(first)
}
const prepares = new Set(['begin', 'start', 'set', 'reset'])

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  const [...letters] = line
  return letters.length <= longestTitle
    ? line
    : `${letters
        .slice(0, longestTitle - 1)
        .join('')
        .trimEnd()}…`
}

/** A new text, with the name that goes with it as long as nobody has chosen one. */
export function retitled({ name, sql: before }: Values, sql: string): Partial<Values> {
  const isOwn = name === unnamed || name === titleOfText(before)
  const title = isOwn ? (titleOfText(sql) ?? unnamed) : name
  return title === name ? { sql } : { sql, name: title }
}

/** As much of a query as a name needs. */
const longest = 8000
/** Nobody reads a name for longer than this. */
const timeoutMs = 60_000

/** A name for a query from what it says. @throws CallError */
export async function suggestName(ref: string, id: string): Promise<string> {
  const { name, content } = await readQuery(ref, id)
  const text =
    'Name the attached SQL by what it is for: at most six words, no quotes and no full stop. Answer with the name alone.'
  const answer = await askOnce(
    ref,
    [
      { type: 'snippet', name, sql: content.sql.slice(0, longest) },
      { type: 'text', text },
    ],
    AbortSignal.timeout(timeoutMs),
  )
  const [line = ''] = answer.trim().split('\n')
  return line.replaceAll(/^["'`*]+|["'`*.]+$/g, '').slice(0, longestName)
}

/** What one tab has not saved yet of a query. `revision` is the one its changes started from; null when there is none yet. */
export type QueryDraft = Draft & { values: Values; revision: number | null }

/** A file name as migration tools read it: `20260131235959_create_books.sql`, in UTC. */
export function migrationName(name: string, at: Date): string {
  const version = at.toISOString().slice(0, 19).replaceAll(/\D/g, '')
  const words = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 100)
  return `${version}_${words || 'query'}.sql`
}
