import { computeSizes, offersSize } from '#contract/projects/compute-sizes'
import { planIds, planNames, planOfTier } from '#contract/billing/plans'
import type { ProjectStatus } from '#contract/projects/project-status'
import type {
  TransferPreview,
  TransferProblem,
  TransferWarning,
} from '#contract/organizations/transfer'
import type { Moving, Party } from './store.ts'

/** What a transfer is judged by. */
export type Facts = {
  project: Moving
  source: Party
  /** Undefined: the caller is not in such an organization. */
  target: Party | undefined
  /** Why the caller may not bring projects there; undefined when they may. */
  refused: TransferProblem | undefined
  nameTaken: boolean
  /** Why the Free plan has no place for it there; undefined when it has, or is not concerned. */
  full: string | undefined
  /** Owners of the target who have as many free projects as they may, when there is no place. */
  exceeding: { name: string; limit: number }[]
  /** Members with a role for this project alone, and members of the source who are not in the target. */
  losers: { roles: number; members: number }
}

const atRest: readonly ProjectStatus[] = ['ACTIVE_HEALTHY', 'ACTIVE_UNHEALTHY', 'INACTIVE']
const people = (count: number) => (count === 1 ? '1 member' : `${count} members`)

/** What stands in the way: each with whether it does, and the words for it. */
function problemsOf(facts: Facts): [TransferProblem, boolean, string][] {
  const { project, source, target, refused, nameTaken, full } = facts
  const to = target && planOfTier[target.tier]
  return [
    ['same_organization', target?.id === source.id, 'The project is in this organization already'],
    [
      'target_organization_not_found',
      target === undefined,
      'You are not in an organization of this name',
    ],
    [
      'target_not_allowed',
      refused === 'target_not_allowed',
      'You may not create projects in the target organization',
    ],
    [
      'target_requires_mfa',
      refused === 'target_requires_mfa',
      'The target organization asks for a sign-in with a second factor',
    ],
    [
      'project_busy',
      project.job_id !== null || !atRest.includes(project.status),
      'Another operation on the project is in progress. Wait until it has finished',
    ],
    [
      'source_restricted',
      source.restriction_status === 'restricted',
      `${source.name} is restricted; its billing page says why and what ends it`,
    ],
    [
      'target_restricted',
      target?.restriction_status === 'restricted',
      `${target?.name} is restricted; its billing page says why and what ends it`,
    ],
    [
      'compute_size_not_included',
      // What was made on Free keeps its size where it is paid for; what is paid for does not fit into Free.
      to === 'free' && !offersSize(to, project.compute_size),
      `${computeSizes[project.compute_size].label} compute is not part of the target's plan; change the size first`,
    ],
    [
      'has_branches',
      project.branched,
      'Branches and projects with branches stay in their organization; delete the branches first',
    ],
    ['free_project_limit', full !== undefined, full ?? ''],
    [
      'name_taken',
      nameTaken,
      `${target?.name} has a project called ${project.name}; rename one of them first`,
    ],
  ]
}

/** What one should know before. */
function warningsOf({ source, target, losers }: Facts): [TransferWarning, boolean, string][] {
  if (!target) return []
  const [from, to] = [planOfTier[source.tier], planOfTier[target.tier]]
  return [
    [
      'plan_is_smaller',
      planIds.indexOf(to) < planIds.indexOf(from),
      `The target is on the ${planNames[to]} plan: what only ${planNames[from]} includes is removed`,
    ],
    [
      'project_roles_end',
      losers.roles > 0,
      `${people(losers.roles)} with a role for this project alone will lose it`,
    ],
    [
      'members_lose_access',
      losers.members > 0,
      `${people(losers.members)} of ${source.name} not in the target organization will not see the project any more`,
    ],
  ]
}

const said = <Key>(all: [Key, boolean, string][]) =>
  all.filter(([, is]) => is).map(([key, , message]) => ({ key, message }))

export function previewOf(facts: Facts): TransferPreview {
  const { source, target, full, exceeding } = facts
  const to = target && planOfTier[target.tier]
  const errors = said(problemsOf(facts))
  const hit = (...keys: TransferProblem[]) => errors.some(({ key }) => keys.includes(key))
  return {
    valid: errors.length === 0,
    errors,
    warnings: said(warningsOf(facts)),
    source_subscription_plan: planOfTier[source.tier],
    target_subscription_plan: to ?? null,
    source_project_eligible: !hit('project_busy', 'source_restricted'),
    target_organization_eligible: target
      ? !hit('same_organization', 'target_restricted', 'compute_size_not_included', 'name_taken')
      : null,
    target_organization_has_free_project_slots: to === 'free' ? full === undefined : null,
    members_exceeding_free_project_limit: exceeding,
    has_access_to_target_organization: target !== undefined,
    // Nobody else gets this far.
    has_permissions_on_source_organization: true,
  }
}
