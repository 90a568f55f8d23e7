import { RotateCcw, Trash2 } from 'lucide-react'
import type { TrashedProject } from '#contract/projects/trash'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { Ago } from '../../../ui/text/Time.tsx'
import { denialOf, kindText, restoreDenialOf, standingText } from './trash-words.ts'

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
