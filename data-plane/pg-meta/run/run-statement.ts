import { explained, inVain, withoutPrefix } from './run-explain.ts'
import { silent } from './result-sink.ts'
import { endTransaction, type Failure, type RunItem, type Session } from './run-session.ts'
import { createStatementSink } from './statement-sink.ts'

/** One statement, which has been announced, and all that comes of it. */
export async function runStatement(
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
