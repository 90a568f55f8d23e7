import { z } from 'zod'
import { ServerLogEntry } from '#contract/observability/server-log'

/** A line of a container's log as the API server gives it: when it was written, by the container's own machine, and what. */
export type Line = { micros: number; text: string; isCut: boolean }

const newline = 10
const stamp = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d) /

/**
 * Cuts what comes in pieces into lines. Of a line that is longer than `maxBytes` only the beginning is kept, so that nobody fills the
 * memory by writing without an end.
 */
export function createLines(maxBytes: number) {
  let parts: Buffer[] = []
  let kept = 0
  let isCut = false

  function keep(part: Buffer): void {
    const room = maxBytes - kept
    if (part.length > room) isCut = true
    const fitting = part.subarray(0, room)
    if (fitting.length === 0) return
    // A copy: the piece that it is a part of may be much larger.
    parts.push(Buffer.from(fitting))
    kept += fitting.length
  }
  function ended(): Line | undefined {
    const whole = Buffer.concat(parts).toString('utf8')
    const line = stamped(whole, isCut)
    parts = []
    kept = 0
    isCut = false
    return line
  }
  /** The lines that end in this piece. */
  return function* linesOf(piece: Buffer): Generator<Line> {
    for (let from = 0; ;) {
      const end = piece.indexOf(newline, from)
      keep(piece.subarray(from, end === -1 ? undefined : end))
      if (end === -1) return
      from = end + 1
      const line = ended()
      if (line) yield line
    }
  }
}

/** Undefined: it does not say when it was written. */
function stamped(whole: string, isCut: boolean): Line | undefined {
  const [head, seconds = '', fraction = '', zone = ''] = stamp.exec(whole) ?? []
  const began = Date.parse(`${seconds}${zone}`)
  if (head === undefined || Number.isNaN(began)) return undefined
  const micros = began * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6))
  return { micros, text: whole.slice(head.length), isCut }
}

const text = z.string().max(1_000_000).optional()
/** What CloudNativePG's program in the pod makes of an entry of the server's log. All values are text; what is empty may be missing. */
const Written = z.object({
  logger: z.literal('postgres'),
  msg: z.literal('record'),
  record: z.object({
    log_time: text,
    session_id: z.string().regex(/^[0-9a-f]+\.[0-9a-f]+$/),
    session_line_num: z.string().regex(/^\d{1,15}$/),
    process_id: z.string().regex(/^\d{1,10}$/),
    error_severity: z.string().regex(/^[A-Z]+[1-5]?$/),
    message: text,
    detail: text,
    hint: text,
    context: text,
    session_start_time: text,
    backend_type: text,
    sql_state_code: text,
    virtual_transaction_id: text,
    transaction_id: text,
    query_id: text,
    command_tag: text,
    connection_from: text,
    user_name: text,
    database_name: text,
    application_name: text,
  }),
})

/** Undefined: the server's own logging has not written it. */
export function entryOf({ micros, text: line, isCut }: Line): ServerLogEntry | undefined {
  const written = Written.safeParse(jsonOf(isCut ? closed(line) : line))
  if (!written.success) return undefined
  const {
    log_time,
    session_id,
    session_line_num,
    process_id,
    error_severity: severity,
    message = '',
    transaction_id,
    sql_state_code: state,
    query_id,
    ...rest
  } = written.data.record
  const entry: ServerLogEntry = {
    id: `${session_id}-${session_line_num}`,
    timestamp: momentOf(log_time, micros),
    severity,
    message,
    session_id,
    session_line_num: Number(session_line_num),
    process_id: Number(process_id),
    ...given({ ...rest, sql_state_code: state === '00000' ? '' : state }),
    ...(Number(transaction_id) > 0 && { transaction_id: Number(transaction_id) }),
    ...(query_id !== '0' && given({ query_id })),
  }
  return ServerLogEntry.safeParse(entry).success ? entry : undefined
}

/** The server's own moment, to the millisecond; within it what was written later is later, and the same whenever it is read. */
function momentOf(logTime: string | undefined, micros: number): number {
  const [, day, time] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d\.\d{3}) (?:UTC|GMT)$/.exec(
    logTime ?? '',
  ) ?? ['', '', '']
  const first = Date.parse(`${day}T${time}Z`) * 1000
  return Number.isNaN(first) || first < 0 ? micros : Math.min(Math.max(micros, first), first + 999)
}

/** A line that was cut within the text of its record, with an end; one that was cut elsewhere is none. */
function closed(line: string): string {
  const whole = line.replace(/\uFFFD$/, '').replace(/\\u[0-9a-f]{0,3}$/i, '')
  const slashes = /\\*$/.exec(whole)?.[0].length ?? 0
  return `${slashes % 2 === 1 ? whole.slice(0, -1) : whole}…"}}`
}

function jsonOf(line: string): unknown {
  if (!line.startsWith('{')) return undefined
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const given = <Name extends string>(values: { [name in Name]?: string | undefined }) =>
  Object.fromEntries(
    Object.entries<string | undefined>(values).filter(
      ([, value]) => value !== undefined && value !== '' && value !== '[unknown]',
    ),
  ) as Partial<Record<Name, string>>
