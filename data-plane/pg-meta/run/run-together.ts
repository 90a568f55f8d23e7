import {
  announce,
  endTransaction,
  type Failure,
  type RunItem,
  type Session,
} from './run-session.ts'
import { silent, type Step } from './result-sink.ts'
import { createStatementSink } from './statement-sink.ts'

/**
 * Many statements in one go. Outside of a transaction each gets a block of its own, whose COMMIT says when it is over: only
 * then does Postgres begin with the next one, and never behind one that failed.
 */
export async function runTogether(
  session: Session,
  group: readonly RunItem[],
): Promise<Failure | undefined> {
  const { client, reader, outbox, left, typeNames } = session
  const isOpen = client.getTransactionStatus() === 'T'
  const [firstItem] = group
  if (!firstItem) return undefined
  const first = announce(session, firstItem)
  const steps: Step[] = []
  const items: RunItem[] = []
  const add = (item: RunItem, step: Step) => {
    items.push(item)
    steps.push(step)
  }
  for (const [at, item] of group.entries()) {
    const beganAt = () => session.began
    const { sink, finish } = createStatementSink({
      index: first + at,
      outbox,
      left,
      typeNames,
      beganAt,
      isOver: false,
    })
    const over = () => {
      finish()
      const next = group[at + 1]
      if (next) announce(session, next)
    }
    const complete = (tag: string) => {
      sink.complete(tag)
      if (isOpen) over()
    }
    const { text, values } = item
    if (!isOpen) add(item, { text: 'begin', values: [], sink: silent })
    add(item, { text, values, sink: { ...sink, complete } })
    if (!isOpen) add(item, { text: 'commit', values: [], sink: { ...silent, complete: over } })
  }
  const failed = await reader.runAll(steps)
  await outbox.settled()
  if (!failed) return undefined
  if (!isOpen) await endTransaction(session)
  return { item: items[failed.at] ?? firstItem, error: failed.error }
}
