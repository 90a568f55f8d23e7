import { useState } from 'react'
import { projects as projectsApi } from '#contract/projects/projects'
import { upgrades } from '#contract/projects/upgrades'
import type { Project } from '#contract/projects/projects'
import type { Versions } from '#contract/projects/upgrades'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { statusView } from '../../../session/project/project-status.ts'
import { setProjectStatus } from '../../../session/project/set-project-status.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { timeText } from '../../../ui/text/number.ts'
import { Ago } from '../../../ui/text/Time.tsx'

type Props = { project: Project; versions: Versions }

/** What a project runs on, and the way to what is installed. */
export function VersionCard({ project, versions }: Props) {
  const { ref, organization_slug: organizationSlug } = project
  const { current, installed, blockers, last } = versions
  const [confirming, setConfirming] = useState(false)
  const denied = useDenials({ organizationSlug, projectRef: ref })(upgrades.order)
  const upgrade = useCall(upgrades.order, {
    onAnswer: () => setProjectStatus(ref, 'UPGRADING'),
    changes: [upgrades.get, projectsApi.status, projectsApi.detail],
    onSuccess: () => setConfirming(false),
  })
  const runs = last?.finished_at === null
  const reason =
    denied ??
    (project.status === 'ACTIVE_HEALTHY'
      ? undefined
      : `The project is ${statusView(project.status).label.toLowerCase()}`) ??
    blockers?.[0]
  const verb = isNewer(installed, current) ? 'Upgrade' : 'Change'
  return (
    <Card
      title="Postgres version"
      footer={
        blockers !== null && (
          <Button
            size="form"
            variant="primary"
            disabledReason={reason}
            onClick={() => {
              upgrade.reset()
              setConfirming(true)
            }}
          >
            {verb} to {installed}
          </Button>
        )
      }
    >
      <div className="form-stack">
        <p>
          PostgreSQL <span className="num">{current}</span>
        </p>
        {blockers === null && !runs && (
          <p className="muted">This is the version that the installation has.</p>
        )}
        {blockers !== null && !runs && (
          <Alert variant="info" title={`PostgreSQL ${installed} is installed`}>
            New projects run on it. This one goes on with {current} until you {verb.toLowerCase()}{' '}
            it, or until its maintenance window.
          </Alert>
        )}
        {project.status === 'ACTIVE_HEALTHY' &&
          blockers?.map((blocker) => (
            <Alert key={blocker} variant="warning" title="In the way">
              {blocker}
            </Alert>
          ))}
        <LastUpgrade last={last} />
      </div>
      {confirming && (
        <ConfirmDialog
          open
          onClose={() => setConfirming(false)}
          title={`${verb} to PostgreSQL ${installed}`}
          verb={`${verb} to ${installed}`}
          danger={false}
          error={upgrade.error?.message}
          pending={upgrade.isPending}
          onConfirm={() => upgrade.mutate({ ref })}
        >
          <p>
            The database restarts once: open connections end, and new ones are accepted in a moment.
            Its data stay as they are.
          </p>
          <p className="muted">
            If it does not start with {installed}, it goes back to {current}.
          </p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

/** By the numbers of two versions. */
function isNewer(one: string, other: string): boolean {
  const [a = 0, b = 0] = one.split('.').map(Number)
  const [c = 0, d = 0] = other.split('.').map(Number)
  return a > c || (a === c && b > d)
}

/** How the last change went; nothing where there was none. */
function LastUpgrade({ last }: { last: Versions['last'] }) {
  if (!last) return null
  if (last.finished_at === null)
    return (
      <Alert variant="info" title={`Changing from ${last.from} to ${last.to}`}>
        The database restarts. Open connections end, and new ones are accepted in a moment.
      </Alert>
    )
  if (last.outcome === 'kept')
    return (
      <Alert variant="warning" title={`The version was not changed to ${last.to}`}>
        {last.failure}
      </Alert>
    )
  return (
    <p className="muted">
      Changed from {last.from} to {last.to} <Ago at={last.finished_at} />
      {last.down_ms !== null && `. The database was unavailable for ${timeText(last.down_ms)}`}.
    </p>
  )
}
