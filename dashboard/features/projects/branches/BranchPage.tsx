import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowDownToLine, GitMerge } from 'lucide-react'
import { useState } from 'react'
import { branches, type Branch, type BranchDifference } from '#contract/projects/branches'
import { useDenials } from '../../../session/organization/permissions.ts'
import { branchesQuery } from '../../../session/project/branches.ts'
import { isUp, statusView } from '../../../session/project/project-status.ts'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { NotFound } from '../../../ui/NotFound.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Status } from '../../../ui/text/Status.tsx'
import { Ago } from '../../../ui/text/Time.tsx'
import { DifferenceCards } from './DifferenceCards.tsx'
import { DryRunCard } from './DryRunCard.tsx'
import { DryRunLine } from './DryRunLine.tsx'
import { MergeRequestCard } from './MergeRequestCard.tsx'
import { UpdateDialog } from './UpdateDialog.tsx'
import { differenceQuery, standingOf, useBranchCall, stepsQuery } from './queries.ts'
import './branches.css'

type Props = { projectRef: string; id: string }

/** /project/{ref}/branches/{id}: what a branch has that main has not, and the other way round. */
export function BranchPage({ projectRef, id }: Props) {
  const { data, error, refetch } = useQuery(branchesQuery(projectRef))
  const branch = data?.branches.find((one) => one.id === id && !one.is_default)
  if (error && !data)
    return (
      <Page>
        <ErrorNote what="Branches" error={error} onRetry={() => void refetch()} />
      </Page>
    )
  if (!data)
    return (
      <Page>
        <Skeleton width={320} height={24} />
      </Page>
    )
  if (!branch)
    return (
      <NotFound
        action={
          <Link className="btn" to="/project/$ref/branches" params={{ ref: projectRef }}>
            All branches
          </Link>
        }
      />
    )
  return <Loaded branch={branch} />
}

function Loaded({ branch }: { branch: Branch }) {
  const ref = branch.parent_project_ref
  const { id, name } = branch
  const denied = useDenials(useProject(ref))
  const [merging, setMerging] = useState(false)
  const isRunning = isUp(branch.preview_project_status) && !branch.busy
  const difference = useQuery({ ...differenceQuery(branch), enabled: isRunning })
  const [choosing, setChoosing] = useState(false)
  const pull = useBranchCall(branches.pull, () => {
    toast.success(`${name} is being updated`)
    setChoosing(false)
  })
  const merge = useBranchCall(branches.merge, () => {
    toast.success(`${name} is being merged into main`)
    setMerging(false)
  })
  const standing = standingOf(branch)
  const ofProject = statusView(branch.preview_project_status)
  const found = difference.data
  const isPaused = branch.preview_project_status === 'INACTIVE' && !branch.busy
  const isDown = !branch.busy && !isUp(branch.preview_project_status)
  const notYet = isPaused
    ? 'Resume the branch first'
    : isDown
      ? 'The branch is not running'
      : 'Wait until the branch is ready'
  const wait = isRunning ? undefined : notYet
  return (
    <Page>
      <PageHead
        title={name}
        help={
          <>
            Compared with main of this project.{' '}
            {isDown ? (
              <Status tone={ofProject.tone}>{ofProject.label}</Status>
            ) : (
              <Status tone={standing.tone}>{standing.word}</Status>
            )}
          </>
        }
        actions={
          <>
            <Link className="btn" to="/project/$ref" params={{ ref: branch.project_ref }}>
              Open branch
            </Link>
            <Button
              icon={ArrowDownToLine}
              busy={pull.isPending}
              disabledReason={denied(branches.pull) ?? wait ?? whyNoPull(found)}
              onClick={() =>
                found && found.setting_conflicts.length > 0
                  ? setChoosing(true)
                  : pull.mutate({ ref, id })
              }
            >
              Update from main
            </Button>
            <Button
              variant="primary"
              icon={GitMerge}
              disabledReason={denied(branches.merge) ?? wait ?? whyNoMerge(found)}
              onClick={() => setMerging(true)}
            >
              Merge into main
            </Button>
          </>
        }
      />
      <div className="sections">
        {branch.failure !== null && !branch.busy && (
          <Alert variant="danger" title="The last job on this branch failed">
            {branch.failure}
          </Alert>
        )}
        {pull.error && !choosing && <Alert variant="danger" title={pull.error.message} />}
        {difference.error && !found && (
          <ErrorNote
            what="The comparison"
            error={difference.error}
            onRetry={() => void difference.refetch()}
          />
        )}
        {found && <DifferenceCards difference={found} />}
        {found && found.migrations.length > 0 && (
          <DryRunCard
            branch={branch}
            digest={found.dry_run_digest}
            reason={wait ?? whyNoCheck(found)}
          />
        )}
        <MergeRequestCard
          branch={branch}
          digest={isRunning ? found?.digest : undefined}
          check={
            found && found.migrations.length > 0 ? (
              <DryRunLine branch={branch} digest={found.dry_run_digest} />
            ) : undefined
          }
        />
        <StepsCard branch={branch} />
      </div>
      {choosing && found && (
        <UpdateDialog
          conflicts={found.setting_conflicts}
          error={pull.error?.message}
          pending={pull.isPending}
          onClose={() => {
            pull.reset()
            setChoosing(false)
          }}
          onUpdate={(take_main) => pull.mutate({ ref, id, take_main })}
        />
      )}
      {merging && found && (
        <ConfirmDialog
          open
          danger={false}
          title={`Merge ${name} into main?`}
          verb="Merge into main"
          error={merge.error?.message}
          pending={merge.isPending}
          onClose={() => setMerging(false)}
          onConfirm={() => merge.mutate({ ref, id })}
        >
          <p>
            {wordsOf(found)} Each migration is run whole or not at all. One that fails ends the
            merge: what was run before it stays, and the merge can be ordered again.
          </p>
          {found.migrations.length > 0 && (
            <DryRunLine
              branch={branch}
              digest={found.dry_run_digest}
              reason={wait ?? whyNoCheck(found)}
              canStart
            />
          )}
        </ConfirmDialog>
      )}
    </Page>
  )
}

const counted = (count: number, one: string) => `${count} ${count === 1 ? one : `${one}s`}`

function wordsOf({ migrations, functions, settings }: BranchDifference): string {
  const carried = functions.filter(({ change }) => change !== 'only_main').length
  const parts = [
    migrations.length > 0 ? `${counted(migrations.length, 'migration')} will be run on main` : '',
    carried > 0 ? `${counted(carried, 'function')} will be deployed there` : '',
    settings.length > 0 ? `${counted(settings.length, 'setting')} will be changed there` : '',
  ].filter(Boolean)
  return `${parts.join(', and ')}.`
}

function whyNoMerge(found: BranchDifference | undefined): string | undefined {
  if (!found) return 'Wait for the comparison'
  if (found.clashes.length > 0) return 'Main has other migrations under the same versions'
  if (found.missing.length + found.conflicts.length + found.setting_conflicts.length > 0)
    return 'Update from main first'
  const isEmpty =
    found.migrations.length + found.settings.length === 0 &&
    found.functions.every(({ change }) => change === 'only_main')
  return isEmpty ? 'There is nothing to merge' : undefined
}

function whyNoCheck(found: BranchDifference): string | undefined {
  if (found.clashes.length > 0) return 'Main has other migrations under the same versions'
  return found.missing.length > 0 ? 'Update from main first' : undefined
}

function whyNoPull(found: BranchDifference | undefined): string | undefined {
  if (!found) return 'Wait for the comparison'
  return found.clashes.length > 0 ? 'Main has other migrations under the same versions' : undefined
}

/** What each job on a branch did, the newest first. */
function StepsCard({ branch }: { branch: Branch }) {
  const query = useQuery({
    ...stepsQuery(branch),
    refetchInterval: branch.busy ? 1500 : false,
  })
  const steps = query.data?.steps
  return (
    <Card title="Log" padded={false}>
      {query.error && !steps && (
        <ErrorNote what="The log" error={query.error} onRetry={() => void query.refetch()} />
      )}
      {!steps && !query.error && (
        <p className="branch-none">
          <Skeleton width="60%" />
        </p>
      )}
      {steps?.length === 0 && <p className="branch-none muted">Nothing was done yet.</p>}
      <ul className="branch-list">
        {steps?.map(({ at, failed, message }) => (
          <li key={`${at} ${message}`} className="row">
            <span className="grow">
              {failed ? <Status tone="danger">{message}</Status> : message}
            </span>
            <span className="muted t12">
              <Ago at={at} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
