import { readItem, type ScriptItem } from '#contract/database/sql/sql-script'
import { unnamed, type Values } from '../running/query-values.ts'

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
