import type { Client } from 'pg'
import type { ResultReader } from './result-reader.ts'
import { isDatabaseError, silent } from './result-sink.ts'

export type Explain = 'plan' | 'analyze'

const prefixes: Record<Explain, string> = {
  plan: 'explain (format json, settings) ',
  analyze: 'explain (analyze, buffers, format json, settings) ',
}

export const explained = (how: Explain, text: string) => prefixes[how] + text

/** ANALYZE really runs the statement, so it does so where all of it is taken back. */
export async function inVain(
  client: Client,
  reader: ResultReader,
  work: () => Promise<Error | undefined>,
): Promise<Error | undefined> {
  const inside = client.getTransactionStatus() !== 'I'
  const refused = await reader.run(inside ? 'savepoint plinth_explain' : 'begin', silent)
  if (refused) return refused
  const error = await work()
  // Also after a failure, which would otherwise fail everything else of the transaction that this ran in.
  const back = inside
    ? 'rollback to savepoint plinth_explain; release savepoint plinth_explain'
    : 'rollback'
  const unended = await reader.run(back, silent)
  return error ?? unended
}

/** The same error with its place in the statement, which began behind the word that was put before it. */
export function withoutPrefix(error: Error, how: Explain | undefined): Error {
  if (how && isDatabaseError(error) && error.position)
    error.position = String(Math.max(1, Number(error.position) - prefixes[how].length))
  return error
}
