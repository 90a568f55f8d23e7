import { DatabaseError, type Pool } from 'pg'
import { accessTo, type Access } from './messages-store.ts'
import { ChannelRefusal } from './refusal.ts'
import type { Reader } from './service.ts'

/** What a reader may do in a private topic. @throws ChannelRefusal when the database cannot say it */
export async function accessFor(
  pool: Pool,
  { role, claims }: Reader,
  topic: string,
  headers: string,
): Promise<Access> {
  try {
    return await accessTo(pool, { topic, role, claims, headers })
  } catch (error) {
    throw refusalOf(error, topic)
  }
}

/** Who asks again later may be answered: it is not the token that is wrong. */
const unavailable = 503
const connectionCodes: Record<string, [string, string]> = {
  '57014': ['QueryCanceled', 'The policies of realtime.messages take too long'],
  '53300': ['DatabaseLackOfConnections', 'Database cannot take more connections'],
  '57P03': ['InitializingProjectConnection', 'The database is starting'],
  '23514': ['MissingPartition', 'There is no partition for messages of today'],
}

function refusalOf(error: unknown, topic: string): ChannelRefusal {
  if (!(error instanceof DatabaseError)) {
    // The driver's own words: every connection of the pool is busy, and stays so.
    const isBusy =
      error instanceof Error && error.message.startsWith('timeout exceeded when trying')
    if (isBusy) {
      return new ChannelRefusal(
        'IncreaseConnectionPool',
        'Please increase your connection pool size',
        unavailable,
      )
    }
    return new ChannelRefusal(
      'UnableToConnectToProject',
      'Realtime was unable to connect to the project database',
      unavailable,
    )
  }
  // Checks that the project has put on the table are named by the error; a partition that is missing is not.
  const isOwnCheck = error.code === '23514' && error.constraint !== undefined
  const [code, message] = (!isOwnCheck && connectionCodes[error.code ?? '']) || []
  if (code !== undefined && message !== undefined)
    return new ChannelRefusal(code, message, unavailable)
  // A role that does not exist, or a policy that fails: either way nothing is allowed.
  return new ChannelRefusal(
    'Unauthorized',
    `You do not have permissions to read from this Channel topic: ${topic}`,
  )
}
