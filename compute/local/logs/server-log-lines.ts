import type { ServerLogEntry } from '#contract/observability/server-log'

/**
 * What stands in front of each line of a server's log: the fields of `Prefix`, each followed by a tab. What tenants name
 * themselves comes last, and cannot hold a tab but in the name of a role or a database.
 */
export const logLinePrefix =
  '%m\\t%p\\t%c\\t%l\\t%s\\t%b\\t%e\\t%v\\t%x\\t%Q\\t%i\\t%r\\t%u\\t%d\\t%a\\t'

const prefix =
  /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}) UTC\t(\d+)\t([0-9a-f.]+)\t(\d+)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([A-Z0-9]+): {2}(.*)$/s

/** What belongs to the entry before it. Statements are not written (settings.ts). */
const attached: Record<string, 'detail' | 'hint' | 'context' | undefined> = {
  DETAIL: 'detail',
  HINT: 'hint',
  CONTEXT: 'context',
  QUERY: 'context',
}
const severities = new Set([
  'DEBUG',
  'LOG',
  'INFO',
  'NOTICE',
  'WARNING',
  'ERROR',
  'FATAL',
  'PANIC',
  ...Array.from({ length: 5 }, (_, n) => `DEBUG${n + 1}`),
])

/**
 * The entries of a piece of a server's log, which begins and ends with whole lines. What was not written by the server's own
 * logging (a library, an earlier version with another prefix) is passed over.
 */
export function entriesOf(text: string): ServerLogEntry[] {
  const entries: ServerLogEntry[] = []
  let inSameMillisecond = 0
  for (const line of logicalLines(text)) {
    const found = prefix.exec(line)
    if (!found) continue
    const [
      ,
      time = '',
      pid,
      session = '',
      number,
      started,
      backend,
      state,
      virtual,
      xid,
      query,
      tag,
    ] = found
    const [remote = '', user = '', database = '', application = '', word = '', message = ''] =
      found.slice(12)
    const part = attached[word]
    const last = entries.at(-1)
    if (part !== undefined && last?.session_id === session) {
      last[part] = last[part] === undefined ? message : `${last[part]}\n${message}`
      continue
    }
    if (!severities.has(word)) continue
    const milliseconds = Date.parse(`${time.replace(' ', 'T')}Z`)
    const isSame = last !== undefined && Math.floor(last.timestamp / 1000) === milliseconds
    inSameMillisecond = isSame ? Math.min(inSameMillisecond + 1, 999) : 0
    entries.push({
      id: `${session}-${number}`,
      timestamp: milliseconds * 1000 + inSameMillisecond,
      severity: word,
      message,
      session_id: session,
      session_line_num: Number(number),
      process_id: Number(pid),
      ...given({
        session_start_time: started,
        backend_type: backend,
        sql_state_code: state === '00000' ? '' : state,
        virtual_transaction_id: virtual,
        command_tag: tag,
        connection_from: remote,
        user_name: user,
        database_name: database,
        application_name: application,
      }),
      ...(Number(xid) > 0 && { transaction_id: Number(xid) }),
      // Of 64 bits: as a number it would not be the same any more.
      ...(query !== undefined && query !== '' && query !== '0' && { query_id: query }),
    })
  }
  return entries
}

/** Lines that begin with a tab go on with the one before: a message with line breaks. */
function* logicalLines(text: string): Generator<string> {
  let line: string | undefined
  for (const each of text.split('\n')) {
    if (each.startsWith('\t') && line !== undefined) {
      line += `\n${each.slice(1)}`
      continue
    }
    if (line !== undefined) yield line
    line = each
  }
  if (line !== undefined) yield line
}

const given = <Name extends string>(values: Record<Name, string | undefined>) =>
  Object.fromEntries(
    Object.entries<string | undefined>(values).filter(
      ([, value]) => value !== undefined && value !== '' && value !== '[unknown]',
    ),
  ) as Partial<Record<Name, string>>
