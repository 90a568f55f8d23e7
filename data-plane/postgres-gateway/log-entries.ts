import type { LogColumn, LogLevel } from '#contract/observability/log-sources'
import type { ConnectionEvent, PoolMode } from './events.ts'
import type { Startup } from './startup.ts'

/** An entry of a project's log of direct connections. */
export type ConnectionEntry = {
  level: LogLevel
  message: string
  columns: Partial<Record<LogColumn, string | number>>
  rest: Record<string, string | number | undefined>
}

/** The server keeps no more of a name either. */
const longestName = 63
const short = (name: string) => name.slice(0, longestName)

const who = ({ user, database }: Startup) => `${short(user)} on ${short(database)}`
const facts = ({ user, database, applicationName }: Startup, mode: PoolMode | undefined) => ({
  pool_mode: mode ?? 'direct',
  user: short(user),
  db_name: short(database),
  application_name: applicationName === '' ? undefined : short(applicationName),
})

/** Undefined: nothing to note. One that ended before it was let in was refused, which was noted, or only looked around. */
export function connectionEntry(event: ConnectionEvent): ConnectionEntry | undefined {
  switch (event.kind) {
    case 'opened':
      return undefined
    case 'connected': {
      const { address, startup, processId } = event
      return {
        level: 'info',
        message: `${who(startup)} connected from ${address}`,
        columns: { severity: 'connected', address },
        rest: { ...facts(startup, event.mode), process_id: processId },
      }
    }
    case 'refused': {
      const { address, startup, refusal } = event
      const whose = startup ? `${who(startup)} from ${address}` : `A connection from ${address}`
      return {
        level: 'warning',
        message: `${whose} was refused: ${refusal.message}`,
        columns: { severity: 'refused', address },
        rest: { ...(startup && facts(startup, event.mode)), sql_state_code: refusal.code },
      }
    }
    case 'ended': {
      const { address, startup, processId, seconds, session } = event
      if (processId === undefined) return undefined
      const { toClient, fromClient } = session.bytes()
      const sums = `${seconds.toFixed(1)} s, ${toClient} bytes sent, ${fromClient} received`
      return {
        level: 'info',
        message: `${who(startup)} from ${address} disconnected after ${sums}`,
        columns: {
          severity: 'disconnected',
          address,
          duration: Math.round(seconds * 1000),
          request_bytes: fromClient,
          response_bytes: toClient,
        },
        rest: { ...facts(startup, event.mode), process_id: processId },
      }
    }
  }
}
