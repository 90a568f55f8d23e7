import { DatabaseError } from 'pg'
import { Client } from '#kit/postgres/client'
import { openByWays } from '#kit/postgres/tls/tls-modes'
import { RefusedError } from '../manage/manage-client.ts'
import { UsageError } from '../manage/manage-command.ts'
import { clientConfig, waysOf, type DatabaseAddress } from './database-url.ts'

/** An open session of the source or of the target. */
export type Session = Client

/** One value can be a gigabyte; what is read at once is not much more. */
const bounds = { messageBytes: 2 ** 30, resultBytes: 2 ** 30 }

/** Opens one session. @throws RefusedError with one line that says why not */
export async function connect(address: DatabaseAddress, what: string): Promise<Session> {
  const config = clientConfig(address)
  try {
    return await openByWays(waysOf(address), async (ssl) => {
      const client = new Client({ ...config, ssl }, bounds)
      try {
        await client.connect()
        return client
      } catch (error) {
        await client.end().catch(() => undefined)
        throw error
      }
    })
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new RefusedError(whyNot(error, address, what), { cause: error })
  }
}

function whyNot(error: unknown, { host, port, user, database }: DatabaseAddress, what: string) {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === '28P01' || code === '28000')
    return `${what} refuses the password of ${user}: ${messageOf(error)}`
  if (code === '3D000') return `${what} has no database ${database}`
  if (error instanceof DatabaseError) return `${what} refuses the connection: ${error.message}`
  return `${what} cannot be reached at ${host}:${port}: ${messageOf(error)}`
}

/** Several addresses of one host fail as one error without words. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map(messageOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
