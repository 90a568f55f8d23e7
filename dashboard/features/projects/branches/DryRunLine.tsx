import type { Branch } from '#contract/projects/branches'
import { dryRuns, type DryRun } from '#contract/projects/dry-runs'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { counted } from '../../../ui/text/number.ts'
import { Status } from '../../../ui/text/Status.tsx'
import { blockingLocks, standingOfDryRun, useDryRun, useStartDryRun } from './dry-run.ts'

type Props = {
  branch: Branch
  digest: string
  /** Why migrations cannot be checked now. */
  reason?: string | undefined
  /** The check can be started from here. */
  canStart?: boolean
}

/** The migration check in a line, where somebody decides about a merge. */
export function DryRunLine({ branch, digest, reason, canStart = false }: Props) {
  const { parent_project_ref: ref, id } = branch
  const { data } = useDryRun(branch)
  const denied = useDenials(useProject(ref))
  const start = useStartDryRun()
  if (!data) return null
  const run = data.dry_run
  const { tone, word } = standingOfDryRun(run, digest)
  const isCurrent = run?.state !== 'running' && run?.digest === digest
  return (
    <div className="branch-setting">
      <span className="grow">
        <span className="med">Migration check:</span> <Status tone={tone}>{word}</Status>
        {run && isCurrent && <span className="muted t12"> {effectsOf(run)}</span>}
        {start.error && <span className="err"> {start.error.message}</span>}
      </span>
      {canStart && !isCurrent && (
        <Button
          busy={start.isPending || run?.state === 'running'}
          disabledReason={denied(dryRuns.start) ?? reason}
          onClick={() => start.mutate({ ref, id })}
        >
          Check migrations
        </Button>
      )}
    </div>
  )
}

function effectsOf({ migrations }: DryRun): string {
  const rewritten = new Set(migrations.flatMap((one) => one.rewritten))
  const blocked = new Set(
    migrations.flatMap((one) => blockingLocks(one).blocking.map(({ relation }) => relation)),
  )
  const parts = [
    rewritten.size > 0 ? `rewrites ${[...rewritten].join(', ')}` : '',
    blocked.size > 0 ? `blocks ${counted(blocked.size, 'table')} for a time` : '',
  ].filter(Boolean)
  return parts.length === 0 ? '' : `(${parts.join('; ')})`
}
