import type { SqlError, TransactionState } from '#contract/database/sql/sql-query'
import { ApiError } from '#kit/errors'
import { answerTo } from '../psql/meta-commands.ts'
import { createOutbox } from './outbox.ts'
import { lookahead, nextGroup } from './pipelined.ts'
import { createResultReader } from './result-reader.ts'
import { isDatabaseError, silent } from './result-sink.ts'
import {
  announce,
  endTransaction,
  refusal,
  type Failure,
  type Run,
  type RunItem,
  type Session,
} from './run-session.ts'
import { runTogether } from './run-together.ts'
import { runCaps, createStatementSink } from './statement-sink.ts'
import { explained, inVain, withoutPrefix } from './run-explain.ts'

/** Runs the items of a script until one fails, telling what happens as it happens. */
export async function run(options: Run): Promise<void> {
  const { client, readOnly = false, goesOn = false } = options
  const started = performance.now()
  const reader = options.reader ?? createResultReader(client)
  const { pause, resume } = reader
  const session: Session = {
    ...options,
    reader,
    outbox: createOutbox({ ...options, pause, resume }),
    left: { ...(options.caps ?? runCaps) },
    index: -1,
    began: started,
    expanded: false,
  }
  const onNotice = ({ severity = 'NOTICE', message = '', detail, hint }: Notice) => {
    const more = { ...(detail ? { detail } : {}), ...(hint ? { hint } : {}) }
    const index = Math.max(0, session.index)
    session.outbox.push({ type: 'notice', index, severity, message, ...more })
  }
  client.on('notice', onNotice)
  const isOne = options.oneTransaction === true && !readOnly && !goesOn
  if (isOne) await reader.run('begin', silent)
  const kept = await runAll(session)
  const end = isOne ? await endOne(session, kept) : undefined
  client.off('notice', onNotice)
  if (readOnly) await endTransaction(session)
  await session.outbox.settled()
  const ms = performance.now() - started
  options.send({ type: 'end', ms, ...(end ?? endOf(session, goesOn)) })
}

/** What the driver hands over of a notice. */
type Notice = {
  severity?: string | undefined
  message?: string | undefined
  detail?: string | undefined
  hint?: string | undefined
}

/** Answers the item that ran last, undefined when something failed. */
async function runAll(session: Session): Promise<RunItem | 'nothing' | undefined> {
  const items = lookahead(session.items)
  const mayPipeline = !session.readOnly && !session.explain
  let last: RunItem | 'nothing' = 'nothing'
  try {
    for (;;) {
      const group = await nextGroup(items, mayPipeline)
      const [item] = group
      if (!item) return last
      last = item
      const stop = session.stopped()
      if (stop === 'gone') return undefined
      if (stop === 'cancelled') announce(session, item)
      const together = group.length > 1
      const ended = stop
        ? { item, error: refusal(cancelled) }
        : await (together ? runTogether(session, group) : runAlone(session, item))
      if (ended === 'quit') return last
      if (!ended) continue
      report(session, ended)
      return undefined
    }
  } finally {
    items.close()
  }
}

/** As Postgres says it of a statement that was under way. */
const cancelled = { code: '57014', message: 'canceling statement due to user request' }

function report(session: Session, { item, error }: Failure): void {
  const { index, began, outbox } = session
  const ms = performance.now() - began
  outbox.push({ type: 'error', index, ms, error: describe(session, error, item) })
}

function describe({ describe: placed }: Session, error: Error, item: RunItem): SqlError {
  if (isDatabaseError(error)) return placed(error, item)
  const { message } = new ApiError('project_unreachable')
  return {
    message,
    code: '08006',
    severity: 'FATAL',
    formattedError: `FATAL:  08006: ${message}\n`,
  }
}

/** One item: a statement, or a command of psql and what it stands for. */
async function runAlone(session: Session, item: RunItem): Promise<Failure | 'quit' | undefined> {
  if (!item.meta) {
    announce(session, item)
    return item.refused ? { item, error: refusal(item.refused) } : runStatement(session, item)
  }
  const answer = answerTo(item.meta, session.expanded)
  if ('queries' in answer) {
    for (const { title, text, values } of answer.queries) {
      announce(session, item, title)
      const failure = await runStatement(session, { ...item, text, values }, true)
      if (failure) return { item, error: withoutPlace(failure.error) }
    }
    return undefined
  }
  const index = announce(session, item, item.text)
  if ('refused' in answer) return { item, error: refusal(answer.refused) }
  if ('sql' in answer) {
    const failure = await runStatement(session, { ...item, text: answer.sql })
    return failure && { item, error: withoutPlace(failure.error) }
  }
  if (answer.expanded !== undefined) session.expanded = answer.expanded
  if (answer.message)
    session.outbox.push({ type: 'notice', index, severity: 'INFO', message: answer.message })
  const command = `\\${item.meta.name}`
  session.outbox.push({ type: 'done', index, command, rows: null, ms: 0, cut: false })
  return answer.quits ? 'quit' : undefined
}

/** An error of a text that nobody here has written, at the beginning of what stands for it. */
const withoutPlace = (error: Error) =>
  isDatabaseError(error) ? Object.assign(error, { position: '1' }) : error

/** Commits what ran in one transaction, or takes it back. A COMMIT may fail, too. */
async function endOne(session: Session, last: RunItem | 'nothing' | undefined) {
  const { client, reader } = session
  if (last === undefined) await endTransaction(session)
  if (last === undefined) return { rolled_back: true }
  // The text itself has ended it, and what came after that was not in it.
  if (client.getTransactionStatus() === 'I') return { rolled_back: false }
  const error = await reader.run('commit', silent)
  if (error && last !== 'nothing') report(session, { item: last, error })
  return { rolled_back: error !== undefined }
}

function endOf(session: Session, goesOn: boolean) {
  const transaction = transactionOf(session)
  return goesOn ? { rolled_back: false, transaction } : { rolled_back: transaction !== 'none' }
}

function transactionOf({ client }: Session): TransactionState {
  const status = client.getTransactionStatus()
  if (status === 'T') return 'open'
  return status === 'E' ? 'failed' : 'none'
}

/** One statement, which has been announced, and all that comes of it. */
async function runStatement(
  session: Session,
  item: RunItem,
  /** Text of our own is sent so that it can be one statement only. */
  isOurs = false,
): Promise<Failure | undefined> {
  const { client, reader, outbox, explain, index, readOnly = false } = session
  const refused = readOnly ? await pinReadOnly(session) : undefined
  if (refused) return { item, error: refused }
  const { sink } = createStatementSink({ ...session, index, beganAt: () => session.began })
  const to = { ...sink, whole: explain !== undefined, copyIn: item.copyIn }
  const text = explain ? explained(explain, item.text) : item.text
  const isSingle = readOnly || isOurs || item.values.length > 0
  const execute = () => (isSingle ? reader.runSingle(text, to, item.values) : reader.run(text, to))
  const error = await (explain === 'analyze' ? inVain(client, reader, execute) : execute())
  await outbox.settled()
  return error && { item, error: withoutPrefix(error, explain) }
}

/**
 * A fresh transaction that cannot write any more: Postgres refuses READ WRITE once a transaction has asked something.
 * Ending it gains nothing, because the next statement begins with this again, and one message to Postgres holds one
 * statement only (see result-reader.ts).
 */
const pinReadOnly = async (session: Session): Promise<Error | undefined> =>
  (await endTransaction(session)) ?? (await session.reader.run('begin read only; select', silent))
