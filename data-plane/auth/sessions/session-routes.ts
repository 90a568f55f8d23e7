import { z } from 'zod'
import { needSecondFactor } from '../access.ts'
import type { Auth } from '../auth.ts'
import { AuthError } from '../errors.ts'
import type { Route } from '../http.ts'
import { sessionsOf, type SessionListRow } from './sessions-store.ts'

const factorNeeded = 'Show your second factor to manage sessions'

/**
 * A user's sessions, for the user: `GET /sessions` and `DELETE /sessions/{id}`. The protocol's clients do not know
 * them; they are additions of ours for the dashboard's account page.
 */
export function sessionRoutes({ access, sessions, now }: Auth): Route[] {
  return [
    {
      method: 'GET',
      url: '/sessions',
      handler: async ({ tenant, credentials }) => {
        const who = await access.signedIn(tenant, credentials)
        needSecondFactor(who, factorNeeded)
        const rows = await sessionsOf(tenant.pool, who.user.id, now())
        return { sessions: rows.map((row) => sessionInfo(row, who.session.id)) }
      },
    },
    {
      method: 'DELETE',
      url: '/sessions/:id',
      handler: async (call) => {
        const who = await access.signedIn(call.tenant, call.credentials)
        needSecondFactor(who, factorNeeded)
        const id = z.guid().safeParse(call.params['id'])
        if (!id.success) {
          throw new AuthError('session_not_found', 'There is no such session', { status: 404 })
        }
        await sessions.end(call, who.user, id.data)
        return call.reply.status(204).send()
      },
    },
  ]
}

function sessionInfo(row: SessionListRow, currentId: string) {
  return {
    id: row.id,
    created_at: row.created_at.toISOString(),
    /** When its tokens were renewed last; null while they are the first ones. */
    refreshed_at: row.refreshed_at?.toISOString() ?? null,
    not_after: row.not_after?.toISOString() ?? null,
    user_agent: row.user_agent ?? '',
    ip: row.ip ?? '',
    aal: row.aal ?? 'aal1',
    current: row.id === currentId,
  }
}
