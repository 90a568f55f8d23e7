import type { DatabaseError } from 'pg'
import { bindNames } from '#contract/database/sql/sql-parameters'
import { splitScript, type ScriptItem } from '#contract/database/sql/sql-script'
import { sqlError } from '../sql-errors.ts'
import type { RunItem, Script } from './run-session.ts'
import type { Statement } from '#contract/database/sql/sql-statements'
import { parseSql } from '../parser.ts'

type Text = {
  query: string
  parameters: Readonly<Record<string, string | null>>
  explain?: unknown
}

/** What a whole text has to run: its only SELECT with a limit, and its `:name`s with their values. */
export async function textScript(
  { query, parameters, explain }: Text,
  rowLimit: number | null,
): Promise<Script> {
  const known = new Set(Object.keys(parameters))
  const items = splitScript(query).map((item) => bound(item, query, known, parameters))
  const limited = explain ? undefined : await limitSingleSelect(items, rowLimit)
  return {
    items: limited ? items.map((item) => ({ ...item, text: limited })) : items,
    limitedTo: limited ? rowLimit : null,
    describe: (error: DatabaseError, { start }: RunItem) => sqlError(error, query, start),
  }
}

function bound(
  item: ScriptItem,
  query: string,
  known: ReadonlySet<string>,
  parameters: Text['parameters'],
): RunItem {
  const { text, names } = item.meta ? { text: item.text, names: [] } : bindNames(item.text, known)
  const { data } = item
  return {
    ...item,
    text,
    values: names.map((name) => parameters[name] ?? null),
    ...(data ? { copyIn: piecesOf(query, data.start, data.end) } : {}),
  }
}

/** Characters of data that are sent at a time. */
const pieceLength = 64 * 1024

function* piecesOf(text: string, start: number, end: number): Generator<string> {
  for (let at = start; at < end;) {
    // A piece never ends between the halves of a character.
    const next = Math.min(end, at + pieceLength)
    const last = text.charCodeAt(next - 1)
    const cut = next < end && last >= 0xd800 && last <= 0xdbff ? next - 1 : next
    yield text.slice(at, cut)
    at = cut
  }
}

/** Longer texts are not looked into: nobody reads 100 rows of them, and the parser would need much memory. */
const longestParsed = 100_000
const mayBeSelect = new Set(['select', 'with', 'values', 'table'])

/**
 * The text with a LIMIT when it is one SELECT that has none of its own (facts §10), else undefined. Only the real
 * parser can tell: a WITH may end in an INSERT, and a SELECT may create a table.
 */
export async function limitSingleSelect(
  statements: readonly Statement[],
  limit: number | null,
): Promise<string | undefined> {
  const [statement, second] = statements
  if (limit === null || !statement || second || statement.text.length > longestParsed)
    return undefined
  const first = statement.words[0]
  if (!statement.text.startsWith('(') && !mayBeSelect.has(first ?? '')) return undefined
  const select = await selectOf(statement.text)
  if (!select || select.limitCount || select.limitOffset || select.intoClause) return undefined
  // On a line of its own, because the text may end in a comment.
  return `${statement.text}\nlimit ${limit}`
}

async function selectOf(text: string) {
  const parsed = await parseSql(text)
  const node = parsed?.length === 1 ? parsed[0]?.stmt : undefined
  return node && 'SelectStmt' in node ? node.SelectStmt : undefined
}
