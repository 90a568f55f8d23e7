import { sql } from 'kysely'
import { hasFeature } from '#contract/billing/plan-comparison'
import { planOfTier, tiers } from '#contract/billing/plans'
import type { LogDrainType } from '#contract/observability/log-drain-shapes'
import type { Db, Tx } from '../../platform-database/database.ts'

/** What is paid for, for each drain and as long as it sends. */
export const drainVariant = 'log_drain_default'
/** Tiers whose plan has drains. */
export const sendingTiers = tiers.filter((tier) =>
  hasFeature(planOfTier[tier], 'security.logDrain'),
)

export type OrderRow = {
  token: string
  type: LogDrainType
  config: Record<string, unknown>
  sealed_secrets: string | null
  revision: number
  since: Date
  ref: string | null
  organization_id: string | null
}

/** Drains that are switched on in organizations whose plan has them, with who pays. */
const wanted = (organizationId: string | undefined) => sql`
  select d.id, d.token::text as item, p.ref, coalesce(p.name, 'Audit log') as name, o.id as organization_id
  from platform.log_drains d
  left join platform.projects p on p.id = d.project_id
  join platform.organizations o on o.id = coalesce(d.organization_id, p.organization_id)
  where d.enabled and o.tier = any(${sendingTiers}::text[]) and (p.id is null or p.status <> 'REMOVED')
    and (${organizationId ?? null}::bigint is null or o.id = ${organizationId ?? null}::bigint)`

/**
 * Makes what is paid for what is to send, from `at` on: of one organization, or of all. A drain sends exactly while it is
 * paid for, so that neither can be without the other.
 */
export async function settleSending(tx: Db | Tx, at: Date, organizationId?: string): Promise<void> {
  await sql`
    with wanted as (${wanted(organizationId)})
    update platform.add_on_usage u set ended_at = greatest(u.started_at, ${at})
    where u.variant = ${drainVariant} and u.ended_at is null
      and (${organizationId ?? null}::bigint is null or u.organization_id = ${organizationId ?? null}::bigint)
      and not exists (
        select from wanted w where w.item = u.item and w.organization_id = u.organization_id)`.execute(
    tx,
  )
  await sql`
    with wanted as (${wanted(organizationId)}), begun as (
      insert into platform.add_on_usage (organization_id, project_ref, project_name, variant, item, started_at)
      select w.organization_id, w.ref, w.name, ${drainVariant}, w.item, ${at} from wanted w
      where not exists (
        select from platform.add_on_usage u
        where u.variant = ${drainVariant} and u.item = w.item and u.ended_at is null)
      on conflict (variant, item) where ended_at is null and item is not null do nothing
      returning item
    )
    update platform.log_drains d set since = ${at}, revision = d.revision + 1
    from begun where d.token::text = begun.item`.execute(tx)
}

/** What is to be sent now. */
export async function sendingDrains(db: Db): Promise<OrderRow[]> {
  const found = await sql<OrderRow>`
    select d.token, d.type, d.config, d.sealed_secrets, d.revision, d.since, p.ref, d.organization_id
    from platform.log_drains d
    join platform.add_on_usage u
      on u.variant = ${drainVariant} and u.item = d.token::text and u.ended_at is null
    join platform.organizations o on o.id = u.organization_id
    left join platform.projects p on p.id = d.project_id
    where d.enabled and o.tier = any(${sendingTiers}::text[]) and (p.id is null or p.status <> 'REMOVED')
    order by d.id`.execute(db)
  return found.rows
}
