import { sql } from 'kysely'
import { hasFeature, type PlanGate } from '#contract/billing/plan-comparison'
import { planOfTier, tiers } from '#contract/billing/plans'
import { customDomainVariant } from '#contract/projects/domains'

const tiersWith = (gate: PlanGate) => tiers.filter((tier) => hasFeature(planOfTier[tier], gate))
const customTiers = tiersWith('security.customDomains')
const vanityTiers = tiersWith('security.vanityUrls')

/**
 * The custom hostname that reaches a project now, as an expression over `project` and `organization`: it is active, the plan has such
 * names, and the add-on is enabled, so that neither is there without being paid for.
 */
export const servedHostname = sql<string | null>`(
  select custom.hostname from platform.custom_hostnames custom
  where custom.project_id = project.id and custom.status = 'active'
    and organization.tier = any(${customTiers}::text[])
    and exists (select from platform.add_on_usage paid where paid.project_ref = project.ref
      and paid.variant = ${customDomainVariant} and paid.ended_at is null))`

/** The vanity subdomain that does; its plan has it. */
export const servedVanity = sql<string | null>`(
  select vanity.name from platform.vanity_subdomains vanity
  where vanity.project_id = project.id and organization.tier = any(${vanityTiers}::text[]))`
