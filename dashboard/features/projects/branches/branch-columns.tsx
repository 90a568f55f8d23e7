import { Link } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import type { Branch } from '#contract/projects/branches'
import { isUp, statusView } from '../../../session/project/project-status.ts'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Status } from '../../../ui/text/Status.tsx'
import { Ago } from '../../../ui/text/Time.tsx'
import { standingOf } from './queries.ts'

export type Deed = 'edit' | 'reset' | 'remove'
type Parts = {
  /** Of the project that they are branches of. */
  projectRef: string
  why: (deed: Deed) => string | undefined
  onDeed: (deed: Deed, branch: Branch) => void
}

function Standing({ branch }: { branch: Branch }) {
  const { preview_project_status: status } = branch
  if (branch.is_default || (!isUp(status) && !branch.busy)) {
    const { tone, label } = statusView(status)
    return <Status tone={tone}>{label}</Status>
  }
  const { tone, word } = standingOf(branch)
  return <Status tone={tone}>{word}</Status>
}

export const branchColumns = ({ projectRef, why, onDeed }: Parts): Column<Branch>[] => [
  {
    id: 'name',
    head: 'Name',
    cell: (branch) => (
      <>
        <span className="row">
          <Link className="med link" to="/project/$ref" params={{ ref: branch.project_ref }}>
            {branch.name}
          </Link>
          {branch.is_default ? (
            <Badge tone="solid">Production</Badge>
          ) : (
            branch.persistent && <Badge>Persistent</Badge>
          )}
          {!branch.is_default && branch.with_data && <Badge>With data</Badge>}
        </span>
        <span className="choice-help mono">{branch.git_branch ?? branch.project_ref}</span>
      </>
    ),
  },
  { id: 'state', head: 'State', width: '190px', cell: (branch) => <Standing branch={branch} /> },
  {
    id: 'merged',
    head: 'Last merge',
    width: '150px',
    wideOnly: true,
    cell: ({ merged_at: merged, is_default: isMain }) =>
      isMain ? null : merged === null ? <span className="muted">Never</span> : <Ago at={merged} />,
  },
  {
    id: 'created',
    head: 'Created',
    width: '150px',
    wideOnly: true,
    cell: ({ created_at: created }) => <Ago at={created} />,
  },
  {
    id: 'actions',
    head: 'Actions',
    hideHead: true,
    width: '170px',
    numeric: true,
    cell: (branch) => {
      if (branch.is_default) return null
      const label = `Actions of ${branch.name}`
      const wait = branch.busy ? 'Wait until it is ready' : undefined
      return (
        <span className="row branch-acts">
          <Link
            className="btn"
            to="/project/$ref/branches/$id"
            params={{ ref: projectRef, id: branch.id }}
          >
            Compare
          </Link>
          <Menu label={label} align="end" trigger={<IconButton icon={Ellipsis} label={label} />}>
            <MenuItem disabledReason={why('edit')} onSelect={() => onDeed('edit', branch)}>
              Edit branch
            </MenuItem>
            <MenuItem
              danger
              disabledReason={why('reset') ?? wait}
              onSelect={() => onDeed('reset', branch)}
            >
              Reset branch
            </MenuItem>
            <MenuItem
              danger
              disabledReason={why('remove')}
              onSelect={() => onDeed('remove', branch)}
            >
              Delete branch
            </MenuItem>
          </Menu>
        </span>
      )
    },
  },
]
