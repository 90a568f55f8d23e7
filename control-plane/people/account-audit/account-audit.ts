import {
  accountAuditDays,
  type account as api,
  type AccountAuditEntry,
} from '#contract/people/account'
import type { Endpoint, Output, Parsed } from '#contract/endpoint'
import type { Caller } from '#kit/http'
import type { AccountAuditStore, AuditRow } from './store.ts'

const day = 24 * 3600 * 1000

/** A person's own audit log: what they did in the last days, in whichever organization. */
export function createAccountAudit(store: AccountAuditStore, endpoints: readonly Endpoint[]) {
  const calls = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]))

  function shape(row: AuditRow): AccountAuditEntry {
    const call = calls.get(row.action)
    const ref = /^project:([a-z]{20})$/.exec(row.target)?.[1]
    return {
      id: row.id,
      action: {
        name: row.action,
        // Only accepted changes are recorded, so the status is that of success.
        metadata: call ? [{ method: call.method, route: call.path, status: call.status }] : [],
      },
      actor: {
        id: row.actor_id ?? '',
        type: 'user',
        metadata: [{ email: row.actor_email ?? '', ip: row.ip }],
      },
      target: {
        description: row.target,
        metadata: {
          ...(row.slug === null ? {} : { org_slug: row.slug }),
          ...(ref === undefined ? {} : { project_ref: ref }),
        },
      },
      change: row.change,
      occurred_at: row.occurred_at.toISOString(),
    }
  }

  return {
    async list(
      caller: Caller,
      { date_start, date_end, search, limit, cursor }: Parsed<typeof api.audit>,
    ): Promise<Output<typeof api.audit>> {
      const oldest = Date.now() - accountAuditDays * day
      const requested = date_start === undefined ? oldest : Date.parse(date_start)
      // One more than asked for tells whether there is another page.
      const rows = await store.entries({
        userId: caller.userId,
        from: new Date(Math.max(requested, oldest)),
        to: date_end === undefined ? new Date() : new Date(date_end),
        before: cursor,
        search: search?.trim() ?? '',
        limit: limit + 1,
      })
      const page = rows.slice(0, limit)
      return {
        result: page.map(shape),
        retention_period: accountAuditDays,
        next: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
      }
    },
  }
}
export type AccountAudit = ReturnType<typeof createAccountAudit>
