import type {
  ResultCell,
  ResultField,
  RunEvent,
  SqlError,
  TransactionState,
} from '#contract/database/sql/sql-query'

type NoticeEvent = Extract<RunEvent, { type: 'notice' }>
export type Notice = Omit<NoticeEvent, 'type'>

/** What is known of one statement of a run. */
export type StatementRun = {
  index: number
  /** UTF-16 offsets into the text that was sent. */
  start: number
  end: number
  line: number
  limitedTo: number | null
  /** Of a command of psql, which has no tag of Postgres. */
  title: string | undefined
  /** Rows are shown on their side. */
  isExpanded: boolean
  status: 'running' | 'done' | 'failed'
  fields: readonly ResultField[] | undefined
  /** Grows in place: a copy for every piece of a long result would take forever. `received` tells how far it is shown. */
  rows: ResultCell[][]
  received: number
  /** All rows that came; those beyond what a browser should hold are counted and let go. */
  arrived: number
  /** Characters of `rows`. */
  size: number
  command: string | undefined
  /** Rows that Postgres sent or changed. */
  count: number | null
  cut: boolean
  ms: number | undefined
  error: SqlError | undefined
  /** What COPY TO STDOUT printed; grows in place. */
  copied: BlobPart[]
}

export type RunState = {
  phase: 'running' | 'ended'
  statements: readonly StatementRun[]
  notices: readonly Notice[]
  /** Of the whole run, on the server. */
  ms: number | undefined
  rolledBack: boolean
  /** Statements of a file that are done. */
  progress: number | undefined
  /** What is left of the transaction that it ran in, if it was asked to. */
  transaction: TransactionState | undefined
}

export const begun: RunState = {
  phase: 'running',
  statements: [],
  notices: [],
  ms: undefined,
  rolledBack: false,
  progress: undefined,
  transaction: undefined,
}

/** What a browser holds of one result, so that a million rows do not take all of its memory. */
export const keptRows = 200_000
export const keptCharacters = 60_000_000

function sizeOf(row: readonly ResultCell[]): number {
  let size = 0
  for (const cell of row)
    size += cell === null ? 4 : typeof cell === 'string' ? cell.length : 10_000
  return size
}

/** The state after one more event. Everything but `rows` is new where it changed. */
export function afterEvent(state: RunState, event: RunEvent): RunState {
  switch (event.type) {
    case 'statement': {
      const { index, start, end, line, limited_to, title, expanded } = event
      const statement: StatementRun = {
        index,
        start,
        end,
        line,
        limitedTo: limited_to,
        title,
        isExpanded: expanded ?? false,
        status: 'running',
        fields: undefined,
        rows: [],
        received: 0,
        arrived: 0,
        size: 0,
        command: undefined,
        count: null,
        cut: false,
        ms: undefined,
        error: undefined,
        copied: [],
      }
      return { ...state, statements: [...state.statements, statement] }
    }
    case 'fields':
      return changed(state, event.index, () => ({ fields: event.fields }))
    case 'rows':
      return changed(state, event.index, ({ rows, arrived, size }) => {
        let now = size
        for (const row of event.rows) {
          if (rows.length >= keptRows || now >= keptCharacters) break
          rows.push(row)
          now += sizeOf(row)
        }
        return { received: rows.length, arrived: arrived + event.rows.length, size: now }
      })
    case 'copy': {
      const part = 'text' in event ? event.text : bytesOf(event.base64)
      return changed(state, event.index, ({ copied }) => {
        copied.push(part)
        return {}
      })
    }
    case 'done': {
      const { command, rows: count, ms, cut } = event
      return changed(state, event.index, () => ({ status: 'done', command, count, ms, cut }))
    }
    case 'error': {
      const { error, ms } = event
      return changed(state, event.index, () => ({ status: 'failed', error, ms }))
    }
    case 'progress':
      return { ...state, progress: event.statements }
    case 'notice': {
      const { type: _, ...notice } = event
      return { ...state, notices: [...state.notices, notice] }
    }
    case 'end':
      return {
        ...state,
        phase: 'ended',
        ms: event.ms,
        rolledBack: event.rolled_back,
        transaction: event.transaction,
      }
  }
}

function changed(
  state: RunState,
  index: number,
  change: (statement: StatementRun) => Partial<StatementRun>,
): RunState {
  // Nearly always the last one: a script has thousands of them.
  const at = state.statements.findLastIndex((statement) => statement.index === index)
  const statement = state.statements[at]
  if (!statement) return state
  const statements = state.statements.slice()
  statements[at] = { ...statement, ...change(statement) }
  return { ...state, statements }
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))

/** What stopped the run, when something did. Nothing runs behind it. */
export const failureOf = (state: RunState): StatementRun | undefined => {
  const last = state.statements.at(-1)
  return last?.status === 'failed' ? last : undefined
}
