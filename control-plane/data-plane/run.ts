import { randomUUID } from 'node:crypto'
import { dataPlaneApi } from '#contract/data-plane-api'
import type { RunEvent } from '#contract/database/sql/sql-query'
import type { DataPlane } from './client.ts'

/** Milliseconds that one statement may take. */
const statementMs = 5 * 60_000

type Run = {
  ref: string
  as: `plinth-${string}`
  by?: string
  query: string
  oneTransaction: boolean
  signal?: AbortSignal
}

/** Runs statements as the owner of a project's database, and tells what happened until the first failure. */
export async function runStatements(
  dataPlane: DataPlane,
  { ref, query, oneTransaction, ...how }: Run,
): Promise<RunEvent[]> {
  const text = await dataPlane.ask(dataPlaneApi.run, {
    ...how,
    params: { ref },
    login: 'postgres',
    body: {
      id: randomUUID(),
      query,
      row_limit: null,
      timeout_ms: statementMs,
      one_transaction: oneTransaction,
    },
  })
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RunEvent)
}
