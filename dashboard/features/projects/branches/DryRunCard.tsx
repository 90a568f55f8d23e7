import { FlaskConical } from 'lucide-react'
import type { Branch } from '#contract/projects/branches'
import { dryRuns, type DryRun, type DryRunMigration } from '#contract/projects/dry-runs'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { counted, timeText } from '../../../ui/text/number.ts'
import { Status } from '../../../ui/text/Status.tsx'
import { Ago } from '../../../ui/text/Time.tsx'
import { blockingLocks, effectOf, standingOfDryRun, useDryRun, useStartDryRun } from './dry-run.ts'

type Props = {
  branch: Branch
  /** Of the difference that is shown; undefined while there is none. */
  digest: string | undefined
  /** Why migrations cannot be checked now. */
  reason: string | undefined
}

/** What the migrations to be merged did to a copy of main. */
export function DryRunCard({ branch, digest, reason }: Props) {
  const { parent_project_ref: ref, id } = branch
  const { data, error, refetch } = useDryRun(branch)
  const denied = useDenials(useProject(ref))
  const start = useStartDryRun()
  if (error && !data)
    return <ErrorNote what="The migration check" error={error} onRetry={() => void refetch()} />
  if (!data) return null
  const run = data.dry_run
  const standing = standingOfDryRun(run, digest)
  const isRunning = run?.state === 'running'
  return (
    <Card
      title="Migration check"
      padded={false}
      end={
        <Button
          icon={FlaskConical}
          busy={start.isPending || isRunning}
          disabledReason={denied(dryRuns.start) ?? reason}
          onClick={() => start.mutate({ ref, id })}
        >
          Check migrations
        </Button>
      }
    >
      <div className="form-stack branch-none">
        <div className="row branch-setting">
          <Status tone={standing.tone}>{standing.word}</Status>
          {run && !isRunning && (
            <span className="muted t12">
              Checked by {run.started_by} <Ago at={run.started_at} />
            </span>
          )}
        </div>
        {start.error && <Alert variant="danger" title={start.error.message} />}
        {run && !isRunning && run.failure !== null && (
          <Alert variant="danger" title="The check did not finish">
            {run.failure}
          </Alert>
        )}
        <p className="muted">{about(run)}</p>
      </div>
      {run && !isRunning && run.migrations.length > 0 && (
        <ul className="branch-list branch-tried">
          {run.migrations.map((one) => (
            <Migration key={one.version} migration={one} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function about(run: DryRun | null): string {
  if (!run || run.state === 'running')
    return 'The migrations are run on a temporary copy of main, which is deleted afterwards. Main is not touched.'
  return run.copied === 'data'
    ? 'Times are those of the copy. Main can take longer while others use it.'
    : 'The copy had the migrations of main and no rows, so errors and times that depend on rows are not shown.'
}

const states = {
  passed: { tone: 'success', word: 'Passed' },
  failed: { tone: 'danger', word: 'Failed' },
  skipped: { tone: 'off', word: 'Not run' },
} as const

function Migration({ migration }: { migration: DryRunMigration }) {
  const { version, name, state, ms, statements, locks, rewritten, error } = migration
  const { blocking, others } = blockingLocks(migration)
  const isTold = state === 'passed' && statements.length > 0
  const summary = isTold ? summaryOf(locks !== null, blocking.length, others) : ''
  return (
    <li>
      <div className="branch-setting">
        <Status tone={states[state].tone}>{states[state].word}</Status>
        <span className="grow">
          <span className="med">{name ?? 'Migration'}</span>{' '}
          <span className="mono muted">{version}</span>
        </span>
        {ms !== null && <span className="muted t12">{timeText(ms)}</span>}
      </div>
      {error && (
        <div className="branch-long">
          <p className="err branch-text">{error.message}</p>
          {error.hint !== null && <p className="muted branch-text">{error.hint}</p>}
          {error.statement !== null && (
            <>
              <p className="muted t12">{placeOf(error)}</p>
              <pre className="mono t12">{error.statement}</pre>
            </>
          )}
        </div>
      )}
      {rewritten.length + blocking.length > 0 && (
        <ul className="branch-effects">
          {rewritten.map((relation) => (
            <li key={relation}>
              <Badge tone="warning">Rewrites</Badge> <span className="mono">{relation}</span>
            </li>
          ))}
          {blocking.map(({ relation, mode }) => (
            <li key={relation}>
              <Badge tone={mode === 'ACCESS EXCLUSIVE' ? 'warning' : 'info'}>{mode}</Badge>{' '}
              <span className="mono">{relation}</span>{' '}
              <span className="muted t12">{effectOf(mode)} until the migration ends</span>
            </li>
          ))}
        </ul>
      )}
      {summary !== '' && <p className="muted t12">{summary}</p>}
      {statements.length > 0 && (
        <details>
          <summary className="t12">Time of each statement</summary>
          <ul className="branch-effects">
            {statements.map(({ text, ms: took }, at) => (
              // Statements may be the same, and never change their places.
              <li key={`${at} ${text}`} className="branch-setting">
                <code className="mono t12 grow">{text}</code>
                <span className="muted t12">{timeText(took)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}

function placeOf({ line, column }: NonNullable<DryRunMigration['error']>): string {
  if (line === null) return 'In this statement:'
  return column === null ? `Line ${line} of:` : `Line ${line}, column ${column} of:`
}

function summaryOf(isKnown: boolean, blocking: number, others: number): string {
  if (!isKnown) return 'Runs outside a transaction, so its locks are not measured.'
  if (others > 0)
    return `Locks ${counted(others, 'table')} without blocking reads or writes${blocking > 0 ? ', too' : ''}.`
  return blocking > 0 ? '' : 'Locks no table that main has.'
}
