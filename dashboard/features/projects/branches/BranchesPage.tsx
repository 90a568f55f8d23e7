import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ellipsis, GitBranch, Plus } from 'lucide-react'
import { useState } from 'react'
import { branchHourlyRate } from '#contract/billing/add-ons'
import { formatRate } from '#contract/billing/money'
import { hasFeature } from '#contract/billing/plan-comparison'
import type { Organization } from '#contract/organizations/organizations'
import { branches, maxBranches, type Branch } from '#contract/projects/branches'
import { git } from '#contract/projects/git'
import { useDenials } from '../../../session/organization/permissions.ts'
import { branchesQuery } from '../../../session/project/branches.ts'
import { isUp, statusView } from '../../../session/project/project-status.ts'
import { useProject } from '../../../session/project/project.ts'
import { useTrashDays } from '../../../session/project/trash.ts'
import { Button, buttonClass } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Table, type Column } from '../../../ui/lists/Table.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { counted } from '../../../ui/text/number.ts'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { Status } from '../../../ui/text/Status.tsx'
import { Ago } from '../../../ui/text/Time.tsx'
import { BranchForm } from './BranchForm.tsx'
import { GitCard } from './GitCard.tsx'
import { OpenRequests } from './OpenRequests.tsx'
import { standingOf, useBranchCall } from './queries.ts'
import { SettingsCards } from './SettingsCards.tsx'
import './branches.css'

type Props = { projectRef: string; plan: Organization['plan'] }
type Doing = { deed: 'add'; branch?: undefined } | { deed: Deed; branch: Branch }

const price = `${formatRate(branchHourlyRate)} an hour`
const startOf = { migrations: 'the migrations', schema: 'the structure', data: 'the data' }
const planNeeded = 'Branches are available on the Pro plan and above'

/** /project/{ref}/branches: copies of a project for one change each, and main. */
export function BranchesPage({ projectRef, plan }: Props) {
  const query = useQuery(branchesQuery(projectRef))
  const project = useProject(projectRef)
  const denied = useDenials(project)
  const [doing, setDoing] = useState<Doing>()
  const days = useTrashDays()
  const close = () => setDoing(undefined)
  const reset = useBranchCall(branches.reset, ({ name }) => {
    toast.success(`${name} is being made anew`)
    close()
  })
  const remove = useBranchCall(branches.remove, ({ name }) => {
    toast.success(`${name} is being deleted`)
    close()
  })
  const rows = query.data?.branches
  const main = rows?.find(({ is_default: isMain }) => isMain)
  const parentRef = main?.project_ref ?? projectRef
  const others = rows?.filter((one) => one !== main) ?? []
  const isLocked = !hasFeature(plan.id, 'database.branching')
  const add = (
    <Button
      variant="primary"
      icon={Plus}
      disabledReason={
        denied(branches.create) ??
        (isLocked ? planNeeded : undefined) ??
        (others.length >= maxBranches ? `There can be up to ${maxBranches}` : undefined)
      }
      onClick={() => setDoing({ deed: 'add' })}
    >
      Create branch
    </Button>
  )
  const plans = (
    <Link
      className={buttonClass({})}
      to="/org/$slug/billing"
      params={{ slug: project.organizationSlug }}
    >
      See plans
    </Link>
  )
  const isForm = doing?.deed === 'add' || doing?.deed === 'edit'
  return (
    <Page>
      <PageHead
        title="Branches"
        help="Try a change in a copy of this project, then merge it into main."
        actions={others.length > 0 ? add : undefined}
      />
      <div className="sections">
        {isLocked && others.length > 0 && (
          <Alert variant="warning" title={`The ${plan.name} plan has no branches`} action={plans}>
            These are kept, and no new ones can be made.
          </Alert>
        )}
        <div className="card">
          <Table
            label="Branches"
            columns={branchColumns({
              projectRef: parentRef,
              why: (deed) => denied(deed === 'remove' ? branches.remove : branches.update),
              onDeed: (deed, branch) => setDoing({ deed, branch }),
            })}
            rows={rows}
            keyOf={({ id }) => id}
            rowHeight={60}
            error={query.error}
            onRetry={() => void query.refetch()}
            empty={null}
          />
        </div>
        {others.length > 0 && <OpenRequests projectRef={parentRef} />}
        {rows && others.length === 0 && (
          <div className="card">
            <EmptyState
              icon={GitBranch}
              title="No branches beside main"
              action={
                isLocked ? (
                  <div className="row">
                    {add}
                    {plans}
                  </div>
                ) : (
                  add
                )
              }
            >
              A branch has a database of its own, with the structure of main or with its rows too,
              the same functions, and keys of its own.
              {isLocked ? ` ${planNeeded}.` : ` It costs ${price}.`}
            </EmptyState>
          </div>
        )}
        {rows && !isLocked && (
          <SettingsCards projectRef={parentRef} denied={denied(branches.setSettings)} />
        )}
        {rows && <GitCard projectRef={parentRef} denied={denied(git.set)} />}
      </div>
      {isForm && (
        <BranchForm
          projectRef={parentRef}
          branch={doing.branch}
          names={others.map(({ name }) => name)}
          price={price}
          onClose={close}
        />
      )}
      {doing?.deed === 'reset' && (
        <ConfirmDialog
          open
          title={`Reset ${doing.branch.name}?`}
          verb="Reset branch"
          error={reset.error?.message}
          pending={reset.isPending}
          onClose={close}
          onConfirm={() => reset.mutate({ ref: parentRef, id: doing.branch.id })}
        >
          <p>
            Its database is thrown away with all rows and users, and made anew from{' '}
            {startOf[doing.branch.starts_with]} of main. Migrations that only this branch has are
            lost. Its keys and its address stay.
          </p>
        </ConfirmDialog>
      )}
      {doing?.deed === 'remove' && (
        <ConfirmDialog
          open
          title={`Delete ${doing.branch.name}?`}
          verb="Delete branch"
          typeName={doing.branch.name}
          error={remove.error?.message}
          pending={remove.isPending}
          onClose={close}
          onConfirm={() => remove.mutate({ ref: parentRef, id: doing.branch.id })}
        >
          <p>
            {days === 0
              ? 'Its database, files, users and keys are deleted and cannot be brought back. Main is not touched.'
              : `You can restore it for ${counted(days, 'day')}, from “Deleted projects” below the project list of the organization. Then its database, files, users and keys are removed for good. Main is not touched.`}
          </p>
        </ConfirmDialog>
      )}
    </Page>
  )
}

type Deed = 'edit' | 'reset' | 'remove'
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

const branchColumns = ({ projectRef, why, onDeed }: Parts): Column<Branch>[] => [
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
