import { DatabaseError, Query, type Client, type QueryResult } from 'pg'
import type { Outcome } from './job-store.ts'

const maxMessage = 2000

/** Carries out what a job says, on a connection of its own. Rows are passed over: nobody reads them. */
export async function runCommand(client: Client, command: string): Promise<Outcome> {
  try {
    return { status: 'succeeded', message: tagOf(await resultOf(client, command)) }
  } catch (error) {
    return { status: 'failed', message: whyOf(error).slice(0, maxMessage) }
  }
}

function resultOf(client: Client, command: string): Promise<QueryResult> {
  return new Promise((resolve, reject) => {
    const query = client.query(new Query(command))
    // Without a listener they would be collected.
    query.on('row', () => undefined)
    query.on('error', reject)
    query.on('end', (result) => {
      // Several statements give a list, which the types do not know.
      const last: QueryResult = Array.isArray(result) ? result.at(-1) : result
      resolve(last)
    })
    client.once('end', () => reject(new Error('The connection was closed')))
  })
}

/** As the server says what it did, such as "DELETE 5". */
const tagOf = ({ command, rowCount }: QueryResult): string =>
  [command === 'INSERT' ? 'INSERT 0' : command, rowCount].filter((part) => part !== null).join(' ')

function whyOf(error: unknown): string {
  if (!(error instanceof DatabaseError))
    return `ERROR: ${error instanceof Error ? error.message : String(error)}`
  const { severity = 'ERROR', message, detail, hint, where } = error
  const lines = [
    `${severity}: ${message}`,
    detail && `DETAIL: ${detail}`,
    hint && `HINT: ${hint}`,
    where && `CONTEXT: ${where}`,
  ]
  return lines.filter(Boolean).join('\n')
}
