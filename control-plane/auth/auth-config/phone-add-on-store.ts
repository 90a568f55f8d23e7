import { sql } from 'kysely'
import { phoneFactorVariant } from '#contract/billing/add-ons'
import { hasFeature } from '#contract/billing/plan-comparison'
import { planOfTier, tiers } from '#contract/billing/plans'
import type { Db, Tx } from '../../platform-database/database.ts'

const payingTiers = tiers.filter((tier) => hasFeature(planOfTier[tier], 'auth.advancedMFAPhone'))

/** The projects to look at: one, or all of an organization. */
export type Phones = { ref: string } | { organizationId: string }

/**
 * Makes what is paid for what is switched on, from `at` on: codes by text message as a second factor cost for as long as users can
 * add one or show one, and the plan has them.
 */
export async function settlePhones(tx: Db | Tx, at: Date, of: Phones): Promise<void> {
  const among = 'ref' in of ? sql`p.ref = ${of.ref}` : sql`p.organization_id = ${of.organizationId}`
  const wanted = sql`
    select p.ref, p.name, p.organization_id from platform.projects p
    join platform.organizations o on o.id = p.organization_id
    join platform.auth_configs c on c.project_id = p.id
    where ${among} and p.status <> 'REMOVED' and o.tier = any(${payingTiers}::text[])
      and (c.settings->>'MFA_PHONE_VERIFY_ENABLED' = 'true' or c.settings->>'MFA_PHONE_ENROLL_ENABLED' = 'true')`
  await sql`
    with wanted as (${wanted})
    update platform.add_on_usage u set ended_at = greatest(u.started_at, ${at})
    from platform.projects p
    where u.variant = ${phoneFactorVariant} and u.ended_at is null and p.ref = u.project_ref and ${among}
      and not exists (select from wanted w where w.ref = u.project_ref)`.execute(tx)
  await sql`
    with wanted as (${wanted})
    insert into platform.add_on_usage (organization_id, project_ref, project_name, variant, started_at)
    select w.organization_id, w.ref, w.name, ${phoneFactorVariant}, ${at} from wanted w
    where not exists (select from platform.add_on_usage u
      where u.variant = ${phoneFactorVariant} and u.project_ref = w.ref and u.ended_at is null)`.execute(
    tx,
  )
}
