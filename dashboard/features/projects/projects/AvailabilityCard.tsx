import { useState } from 'react'
import { projectMoves } from '#contract/projects/project-status'
import type { Project } from '#contract/projects/projects'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { statusView } from '../../../session/project/project-status.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Status } from '../../../ui/text/Status.tsx'
import { RestartDialog, PauseDialog, endpointOf, useProjectAction } from './project-actions.tsx'

/** Restart, pause and resume: what the project's state and the reader's role allow. */
export function AvailabilityCard({ project }: { project: Project }) {
  const { ref, status, organization_slug: organizationSlug } = project
  const why = useDenials({ organizationSlug, projectRef: ref })
  const off = useDisabledFeatures()
  const [asking, setAsking] = useState<'restart' | 'pause'>()
  const close = () => setAsking(undefined)
  const resume = useProjectAction('restore')
  const { label, tone } = statusView(status)
  const notNow = (possible: boolean) =>
    possible ? undefined : `The project is ${label.toLowerCase()}`
  const moves = projectMoves[status]
  return (
    <Card title="Availability" end={<Status tone={tone}>{label}</Status>} padded={false}>
      {!off('project_settings:restart_project') && (
        <div className="set-row">
          <div className="grow">
            <span className="med">Restart</span>
            <p>Open connections are closed for a moment.</p>
          </div>
          <Button
            disabledReason={why(endpointOf('restart')) ?? notNow(moves.includes('RESTARTING'))}
            onClick={() => setAsking('restart')}
          >
            Restart project
          </Button>
        </div>
      )}
      {moves.includes('RESTORING') &&
      status !== 'ACTIVE_HEALTHY' &&
      status !== 'ACTIVE_UNHEALTHY' ? (
        <div className="set-row">
          <div className="grow">
            <span className="med">Resume</span>
            <p>The database starts again with all its data.</p>
            {resume.error && (
              <p className="err" role="alert">
                {resume.error.message}
              </p>
            )}
          </div>
          <Button
            busy={resume.isPending}
            disabledReason={why(endpointOf('restore'))}
            onClick={() => resume.mutate({ ref })}
          >
            Resume project
          </Button>
        </div>
      ) : (
        <div className="set-row">
          <div className="grow">
            <span className="med">Pause</span>
            <p>The database stops and its data is kept.</p>
          </div>
          <Button
            disabledReason={why(endpointOf('pause')) ?? notNow(moves.includes('PAUSING'))}
            onClick={() => setAsking('pause')}
          >
            Pause project
          </Button>
        </div>
      )}
      <RestartDialog project={project} open={asking === 'restart'} onClose={close} />
      <PauseDialog project={project} open={asking === 'pause'} onClose={close} />
    </Card>
  )
}
