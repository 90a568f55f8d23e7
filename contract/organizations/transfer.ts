import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import type { Need } from '../permissions.ts'
import { planIds } from '../billing/plans.ts'
import { ProjectRef, Slug } from '../values.ts'

/** What the source is asked for. */
export const givesProjects = {
  action: 'write:Update',
  resource: 'projects.transfer',
  in: 'project',
} as const satisfies Need

/** What the target is asked for beside the right to transfer at the source (facts §2.4). */
export const takesProjects = {
  action: 'write:Create',
  resource: 'projects',
  in: 'organization',
} as const satisfies Need

export const transferProblems = [
  'same_organization',
  'target_organization_not_found',
  'target_not_allowed',
  'target_requires_mfa',
  'project_busy',
  'source_restricted',
  'target_restricted',
  'compute_size_not_included',
  'free_project_limit',
  'has_branches',
  'name_taken',
] as const
export type TransferProblem = (typeof transferProblems)[number]

export const transferWarnings = [
  'plan_is_smaller',
  'project_roles_end',
  'members_lose_access',
] as const
export type TransferWarning = (typeof transferWarnings)[number]

const problemList = <K extends readonly [string, ...string[]]>(keys: K) =>
  z.object({ key: z.enum(keys), message: z.string() })

/** What a transfer would do, and what stands in its way (facts §3.3). */
export const TransferPreview = z.object({
  /** No errors. */
  valid: z.boolean(),
  errors: z.array(problemList(transferProblems)),
  warnings: z.array(problemList(transferWarnings)),
  source_subscription_plan: z.enum(planIds),
  /** Null: the caller is not in such an organization. */
  target_subscription_plan: z.enum(planIds).nullable(),
  source_project_eligible: z.boolean(),
  target_organization_eligible: z.boolean().nullable(),
  target_organization_has_free_project_slots: z.boolean().nullable(),
  members_exceeding_free_project_limit: z.array(z.object({ name: z.string(), limit: z.number() })),
  has_access_to_target_organization: z.boolean(),
  has_permissions_on_source_organization: z.boolean(),
})
export type TransferPreview = z.infer<typeof TransferPreview>

const input = z.object({ ref: ProjectRef, target_organization_slug: Slug })
const needs: Need = givesProjects

export const transfer = {
  preview: endpoint('transfer.preview', 'POST /platform/projects/:ref/transfer/preview', {
    needs,
    input,
    returns: TransferPreview,
  }),
  run: endpoint('transfer.run', 'POST /platform/projects/:ref/transfer', {
    needs,
    perMinute: 20,
    input,
    returns: z.object({ ref: ProjectRef, organization_slug: Slug }),
  }),
}
