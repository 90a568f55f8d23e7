import type { TrashedProject } from '#contract/projects/trash'
import { counted } from '../../../ui/text/number.ts'

const hour = 60 * 60 * 1000

/** When it will be removed: `in 12 days`, in its last day in hours. */
export function leftText(at: string, now: Date): string {
  const hours = (new Date(at).getTime() - now.getTime()) / hour
  if (hours < 1) return 'within an hour'
  return `in ${hours < 24 ? counted(Math.floor(hours), 'hour') : counted(Math.round(hours / 24), 'day')}`
}

export const kindText = ({ branch }: Pick<TrashedProject, 'branch'>): string =>
  branch === null ? 'Project' : `Branch of ${branch.parent_name}`

/** What there is to know of it beside its name. */
export function standingText(project: TrashedProject, now: Date): string {
  if (project.state === 'stopping') return 'Being deleted'
  if (project.state === 'removing') return 'Being removed for good'
  return `Removed for good ${leftText(project.removed_for_good_at, now)}`
}

/** Why nothing can be done to it, in words for a disabled button; undefined: it can. */
export function denialOf({ allowed, state }: TrashedProject): string | undefined {
  if (state === 'stopping') return 'It is still being deleted'
  if (state === 'removing') return 'It is being removed for good'
  return allowed ? undefined : 'Your role in this organization does not allow this'
}

export const restoreDenialOf = (project: TrashedProject): string | undefined =>
  denialOf(project) ??
  (project.branch?.parent_deleted ? `Restore ${project.branch.parent_name} first` : undefined)
