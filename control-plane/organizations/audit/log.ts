import {
  auditRetentionDays,
  type audit as api,
  type AuditEntry,
} from '#contract/organizations/audit'
import type { internal } from '#contract/internal-api'
import type { Endpoint, Output, Parsed } from '#contract/endpoint'
import { planOfTier } from '#contract/billing/plans'
import { ApiError } from '#kit/errors'
import { chainStart, hashEntry } from './chain.ts'
import type { AuditLogStore, AuditRow } from './log-store.ts'

const day = 24 * 3600 * 1000
/** Entries that are read at a time to check the chain. */
const piece = 1000

type Deps = { store: AuditLogStore; endpoints: readonly Endpoint[]; now: () => Date }

/** What was done in an organization, for its members to read: as far back as its plan goes. */
export function createAuditLog({ store, endpoints, now }: Deps) {
  const calls = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]))

  async function scopeOf(slug: string) {
    const organization = await store.organization(slug)
    if (!organization) throw new ApiError('organization_not_found')
    const days = auditRetentionDays(planOfTier[organization.tier])
    if (days === null) {
      throw new ApiError('plan_limit', 'The audit log is available on the Team plan and above')
    }
    return { id: organization.id, days, oldest: now().getTime() - days * day }
  }

  function shape(row: AuditRow, slug: string): AuditEntry {
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
        id: row.actor_id,
        type: row.actor_id === null ? 'system' : 'user',
        metadata: row.actor_email === null ? [] : [{ email: row.actor_email, ip: row.ip }],
      },
      target: {
        description: row.target,
        metadata: { org_slug: slug, ...(ref === undefined ? {} : { project_ref: ref }) },
      },
      change: row.change,
      user_agent: row.user_agent,
      request_id: row.request_id,
      hash: row.hash,
      occurred_at: row.occurred_at.toISOString(),
    }
  }

  return {
    async list(input: Parsed<typeof api.list>): Promise<Output<typeof api.list>> {
      const { id, days, oldest } = await scopeOf(input.slug)
      const { iso_timestamp_start: start, iso_timestamp_end: end, limit } = input
      // One more than asked for tells whether there is another page.
      const rows = await store.entries({
        organizationId: id,
        from: new Date(Math.max(start === undefined ? oldest : Date.parse(start), oldest)),
        to: end === undefined ? undefined : new Date(end),
        userId: input.user,
        projectRef: input.project,
        action: input.action,
        before: input.cursor,
        limit: limit + 1,
      })
      const page = rows.slice(0, limit)
      return {
        result: page.map((row) => shape(row, input.slug)),
        retention_period: days,
        next: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
      }
    },

    async filters(slug: string): Promise<Output<typeof api.filters>> {
      const { id, oldest } = await scopeOf(slug)
      const from = new Date(oldest)
      const [actors, projects, actions] = await Promise.all([
        store.actors(id, from),
        store.projects(id),
        store.actions(id, from),
      ])
      const users = actors.map((row) => ({ id: row.actor_id ?? '', email: row.actor_email ?? '' }))
      return { users: users.toSorted((a, b) => (a.email < b.email ? -1 : 1)), projects, actions }
    },

    /** For what sends them elsewhere; how long the plan keeps them does not matter to it. */
    async following({
      organization,
      after,
      since = 0,
      limit,
    }: Parsed<typeof internal.auditEntries>): Promise<Output<typeof internal.auditEntries>> {
      const id = String(organization)
      const slug = await store.slugOf(id)
      if (slug === undefined) throw new ApiError('organization_not_found')
      const rows = await store.following(id, after, new Date(since), limit)
      return { entries: rows.map((row) => shape(row, slug)) }
    },

    async verify(slug: string): Promise<Output<typeof api.verify>> {
      const { id } = await scopeOf(slug)
      let [previous, after, entries] = [chainStart, '0', 0]
      for (;;) {
        const rows = await store.chain(id, after, piece)
        for (const row of rows) {
          if (row.previous_hash !== previous || row.hash !== hashOfRow(row)) {
            return { intact: false, entries, broken_at: row.id }
          }
          ;[previous, after, entries] = [row.hash, row.id, entries + 1]
        }
        if (rows.length < piece) return { intact: true, entries, broken_at: null }
      }
    },
  }
}
export type AuditLog = ReturnType<typeof createAuditLog>

const hashOfRow = (row: AuditRow): string =>
  hashEntry(
    row.previous_hash,
    {
      organizationId: row.organization_id,
      actor: row.actor_id === null ? null : { userId: row.actor_id, email: row.actor_email ?? '' },
      action: row.action,
      target: row.target,
      change: row.change,
      origin:
        row.ip === null && row.user_agent === null && row.request_id === null
          ? null
          : {
              ip: row.ip ?? '',
              userAgent: row.user_agent ?? '',
              requestId: row.request_id ?? '',
            },
    },
    row.occurred_at.toISOString(),
  )
