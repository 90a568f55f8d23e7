import { sqlQuery } from '#contract/database/sql/sql-query'
import { clientCopy } from '#contract/database/sql/sql-copy'
import { splitScript, type ScriptItem } from '#contract/database/sql/sql-script'
import { call } from '../../../../api/client.ts'

/** What runs instead of the editor's text: a file, or that text with a file in it. */
export type SqlFile = { name: string; blob: Blob }

/** Bytes that are sent at a time: no more characters than one piece may have. */
const pieceBytes = 700_000

type Sending = {
  ref: string
  /** Of the run. */
  id: string
  /** Whether the run's login only reads. */
  readOnly: boolean
  headers: Record<string, string>
  signal: AbortSignal
  onSent: (bytes: number) => void
}

/** Sends a file to its run piece by piece, as fast as that reads it. Throws when it is no text in UTF-8. */
export async function sendFile(file: Blob, to: Sending): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let offset = 0
  for (let at = 0; ; at += pieceBytes) {
    const end = Math.min(file.size, at + pieceBytes)
    const last = end === file.size
    const bytes = await file.slice(at, end).arrayBuffer()
    const text = decode(decoder, bytes, last)
    const isRead = await sendPiece({ offset, text, last }, to)
    if (!isRead || last) return
    offset += text.length
    to.onSent(end)
  }
}

/** False: nobody reads any more. */
async function sendPiece(
  piece: { offset: number; text: string; last: boolean },
  { ref, id, readOnly, headers, signal }: Sending,
): Promise<boolean> {
  for (;;) {
    const input = { ref, run: id, read_only: readOnly, ...piece }
    const { accepted, ended } = await call(sqlQuery.filePiece, input, { headers, signal })
    if (ended || accepted) return accepted
  }
}

function decode(decoder: TextDecoder, bytes: ArrayBuffer, last: boolean): string {
  try {
    return decoder.decode(bytes, { stream: !last })
  } catch {
    throw new Error('This file is not UTF-8 text. Save it as UTF-8, and run it again.')
  }
}

/** Why a file cannot be run, told by its beginning. */
export async function problemOf(file: Blob): Promise<string | undefined> {
  if (file.size === 0) return 'This file is empty'
  const head = await file.slice(0, 5).text()
  if (head === 'PGDMP')
    return "This is a dump in pg_dump's custom format. Use pg_restore for it, or make a plain one: pg_dump --format=plain"
  return head.includes('\0') ? 'This file is not text' : undefined
}

/** The first COPY of a text that reads a file which is still to be chosen. */
export const wantsFile = (sql: string): ScriptItem | undefined =>
  splitScript(sql).find(({ takesData, data }) => takesData && !data)

/** The name that `\copy` gives its file; nothing for COPY FROM STDIN. */
export const namedFile = ({ meta }: ScriptItem): string | undefined =>
  meta && clientCopy(meta.rest)?.file

/** The text with a file in it, as the data of one of its statements. */
export async function withData(sql: string, item: ScriptItem, file: Blob): Promise<Blob> {
  const { start, end, meta, text } = item
  const statement = (meta && clientCopy(meta.rest)?.sql) ?? text
  const endsLine = (await file.slice(-1).text()) === '\n' || file.size === 0
  return new Blob([
    `${sql.slice(0, start)}${statement};\n`,
    file,
    `${endsLine ? '' : '\n'}\\.\n`,
    sql.slice(end),
  ])
}

/** Files that `\copy ... to` wrote are kept under the names that it gave them. */
export function copiedName(text: string): string | undefined {
  const rest = /^\\copy\s+(.*)/s.exec(text)?.[1]
  const copy = rest === undefined ? undefined : clientCopy(rest)
  return copy?.direction === 'to' ? copy.file?.split(/[\\/]/).at(-1) : undefined
}
