import { RotateCcw, Trash2 } from 'lucide-react'
import type { TrashedProject } from '#contract/projects/trash'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { counted } from '../../../ui/text/number.ts'
import { Ago } from '../../../ui/text/Time.tsx'

type Parts = {
  now: Date
  /** The one that is being restored. */
  restoring: string | undefined
  onRestore: (project: TrashedProject) => void
  onRemove: (project: TrashedProject) => void
}

export const trashColumns = (parts: Parts): Column<TrashedProject>[] => [
  {
    id: 'name',
    head: 'Name',
    cell: (project) => (
      <span className="two-lines">
        <span className="med ell" title={project.name}>
          {project.name}
        </span>
        <span className="muted ell">{standingText(project, parts.now)}</span>
      </span>
    ),
  },
  {
    id: 'kind',
    head: 'Kind',
    width: '200px',
    wideOnly: true,
    cell: (project) => (
      <span className="two-lines">
        <span className="ell" title={kindText(project)}>
          {kindText(project)}
        </span>
        <span className="mono faint ell" title={project.ref}>
          {project.ref}
        </span>
      </span>
    ),
  },
  {
    id: 'deleted',
    head: 'Deleted',
    width: '220px',
    wideOnly: true,
    cell: ({ deleted_at: at, deleted_by: who }) => (
      <span className="two-lines">
        <Ago at={at} />
        <span className="muted ell" title={who ?? undefined}>
          by {who ?? 'someone whose account is gone'}
        </span>
      </span>
    ),
  },
  {
    id: 'actions',
    head: 'Actions',
    hideHead: true,
    width: '152px',
    numeric: true,
    cell: (project) => (
      <span className="row trash-acts">
        <Button
          icon={RotateCcw}
          busy={parts.restoring === project.ref}
          disabledReason={restoreDenialOf(project)}
          aria-label={`Restore ${project.name}`}
          onClick={() => parts.onRestore(project)}
        >
          Restore
        </Button>
        <IconButton
          icon={Trash2}
          label={`Delete ${project.name} now`}
          disabledReason={denialOf(project)}
          onClick={() => parts.onRemove(project)}
        />
      </span>
    ),
  },
]

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
