import type { PoolClient } from 'pg'
import type { Session, SessionKind } from '#contract/database/activity'
import { ApiError } from '#kit/errors'
import { rowsOf } from '../scope.ts'

type Found = Omit<Session, 'kind'>
type Named = { pid: number; started: string }

const moment = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** Of this database and of clients only. To who may only read Postgres hides most of it, the kind of backend included. */
const list = `
  select pid, usename as role, application_name as application, client_addr::text as address,
    ${moment('backend_start')} as started,
    ${moment('xact_start')} as transaction_started, ${moment('query_start')} as query_started,
    state, ${moment('state_change')} as state_changed,
    case when wait_event_type <> 'Client' then wait_event_type || ': ' || wait_event end as wait,
    nullif(left(query, 20000), '<insufficient privilege>') as query,
    pg_blocking_pids(pid) as blocked_by
  from pg_stat_activity
  where datname = current_database() and coalesce(backend_type, 'client backend') = 'client backend'
    and pid <> pg_backend_pid()
  order by state = 'active' desc nulls last, query_start
  limit 1000
`
const now = `select ${moment('clock_timestamp()')} as now`

const here = `
  select usename as role from pg_stat_activity
  where pid = $1 and ${moment('backend_start')} = $2
    and datname = current_database() and backend_type = 'client backend'
`

function kindOf(role: string): SessionKind {
  if (/^supabase_\w+admin$|^supabase_admin$|^plinth_(?:storage|realtime)$/.test(role))
    return 'platform'
  if (role === 'plinth_sql' || role === 'plinth_read_only') return 'dashboard'
  return role.startsWith('authenticator') ? 'api' : 'other'
}

export async function listSessions(db: PoolClient) {
  const [clock] = await rowsOf<{ now: string }>(db, now, [])
  const found = await rowsOf<Found>(db, list, [])
  return {
    now: clock?.now ?? new Date().toISOString(),
    sessions: found.map((session) => ({ ...session, kind: kindOf(session.role) })),
  }
}

/** @throws ApiError not_found when that very session has ended */
async function roleOf(db: PoolClient, { pid, started }: Named): Promise<string> {
  const [session] = await rowsOf<{ role: string }>(db, here, [pid, started])
  if (!session) throw new ApiError('not_found', 'This session has ended')
  return session.role
}

async function signal(db: PoolClient, text: string, { pid }: Named) {
  const [answer] = await rowsOf<{ sent: boolean }>(db, text, [pid])
  if (!answer?.sent) throw new ApiError('not_found', 'This session has ended')
  return { pid }
}

export async function cancelSession(db: PoolClient, session: Named) {
  await roleOf(db, session)
  return signal(db, 'select pg_cancel_backend($1) as sent', session)
}

export async function terminateSession(db: PoolClient, session: Named & { platform: boolean }) {
  const role = await roleOf(db, session)
  if (kindOf(role) === 'platform' && !session.platform)
    throw new ApiError(
      'invalid_input',
      'This session belongs to a platform service. Confirm that you want to end it',
    )
  return signal(db, 'select pg_terminate_backend($1) as sent', session)
}
