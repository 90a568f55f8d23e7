import { z } from 'zod'
import { aiTags } from './ai-opt-in.ts'
import { endpoint } from '../endpoint.ts'
import { inOrganization, roleNames } from '../permissions.ts'
import { restrictionCauses } from '../billing/quotas.ts'
import { planIds, planSources, tiers } from '../billing/plans.ts'
import { displayName, Pagination, pageInput, Slug } from '../values.ts'
import { ProjectListItem } from '../projects/projects.ts'

export const organizationKinds = [
  'PERSONAL',
  'EDUCATIONAL',
  'STARTUP',
  'AGENCY',
  'COMPANY',
  'UNDISCLOSED',
] as const

/** Company size when the kind is COMPANY: the lower bound of 1-10, 10-49, 50-99, 100-299, 300+ (facts §1.3). */
export const companySizes = ['1', '10', '50', '100', '300'] as const

export const Organization = z.object({
  id: z.number(),
  slug: z.string(),
  name: z.string(),
  kind: z.enum(organizationKinds),
  size: z.enum(companySizes).nullable(),
  /** `Unknown` while nobody has named one (requirements §3). */
  billing_email: z.string(),
  billing_partner: z.string().nullable(),
  /** Where its plan is managed: at a marketplace, or here. */
  managed_by: z.enum(planSources),
  /** What the partner calls it: the slug after `vercel_`; null for all others. */
  partner_id: z.string().nullable(),
  plan: z.object({ id: z.enum(planIds), name: z.string() }),
  is_owner: z.boolean(),
  /** The caller's own role in all of it; null for who has roles for single projects. */
  role: z.enum(roleNames).nullable(),
  member_count: z.number(),
  project_count: z.number(),
  opt_in_tags: z.array(z.string()),
  usage_billing_enabled: z.boolean(),
  organization_requires_mfa: z.boolean(),
  organization_missing_address: z.boolean(),
  restriction_status: z.enum(['grace_period', 'grace_period_over', 'restricted']).nullable(),
  restriction_data: z.object({ grace_period_end: z.string() }).nullable(),
  /** What the restriction comes from. */
  restriction_cause: z.enum(restrictionCauses).nullable(),
  /** It uses more than its plan includes, where more is not billed. */
  exceeds_usage_limits: z.boolean(),
  stripe_customer_id: z.string().nullable(),
  subscription_id: z.string().nullable(),
  inserted_at: z.string(),
})
export type Organization = z.infer<typeof Organization>

const BySlug = z.object({ slug: Slug })

export const organizations = {
  list: endpoint('organizations.list', 'GET /platform/organizations', {
    needs: 'signed-in',
    appScope: 'organizations:read',
    input: z.object({}),
    returns: z.array(Organization),
  }),
  create: endpoint('organizations.create', 'POST /platform/organizations', {
    needs: 'signed-in',
    perMinute: 30,
    status: 201,
    input: z.object({
      name: displayName(1, 64),
      kind: z.enum(organizationKinds).default('PERSONAL'),
      size: z.enum(companySizes).optional(),
      tier: z.enum(tiers),
    }),
    returns: Organization,
  }),
  detail: endpoint('organizations.detail', 'GET /platform/organizations/:slug', {
    needs: inOrganization('read:Read', 'organizations'),
    input: BySlug,
    returns: Organization,
  }),
  /**
   * The slug never changes: links, scripts and command line tools hold it, and a slug that became free could be taken by
   * somebody whom they would then trust.
   */
  update: endpoint('organizations.update', 'PATCH /platform/organizations/:slug', {
    needs: inOrganization('write:Update', 'organizations'),
    input: BySlug.extend({
      name: displayName(1, 64).optional(),
      billing_email: z.email().max(254).optional(),
      kind: z.enum(organizationKinds).optional(),
      /** Kept for companies only. */
      size: z.enum(companySizes).nullable().optional(),
      /** What the assistant may see; the tags of ai-opt-in.ts that are there afterwards. */
      opt_in_tags: z.array(z.enum(aiTags)).max(aiTags.length).optional(),
      /** Changed only by a session that has shown a second factor itself. */
      organization_requires_mfa: z.boolean().optional(),
    }),
    returns: Organization,
  }),
  remove: endpoint('organizations.remove', 'DELETE /platform/organizations/:slug', {
    needs: inOrganization('write:Delete', 'organizations'),
    input: BySlug,
    returns: Organization,
  }),
  projects: endpoint('organizations.projects', 'GET /platform/organizations/:slug/projects', {
    needs: inOrganization('read:Read', 'projects.list'),
    input: BySlug.extend({ ...pageInput, search: z.string().max(100).optional() }),
    returns: z.object({ projects: z.array(ProjectListItem), pagination: Pagination }),
  }),
}
