import { Link } from '@tanstack/react-router'
import type { Project } from '#contract/projects/projects'
import { useDenials } from '../../../session/organization/permissions.ts'
import { isMoving, statusView } from '../../../session/project/project-status.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { buttonClass } from '../../../ui/controls/button-class.ts'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { Status } from '../../../ui/text/Status.tsx'
import { stateWords, type StateWords } from './state-words.ts'
import { endpointOf, useProjectAction } from './use-project-action.ts'
import './projects.css'

type Props = { project: Project; status: keyof typeof stateWords }

/** The whole page of a project that cannot be used now: what is going on, and what can be done. */
export function ProjectStatePage({ project, status }: Props) {
  const words = stateWords[status]
  const { label, tone } = statusView(status)
  const { ref, organization_slug: slug } = project
  return (
    <Page width="form">
      <div className="state" aria-live="polite">
        <Status tone={tone}>{label}</Status>
        <h1>{words.title(project.name)}</h1>
        <p className="muted t14">{words.text}</p>
        {isMoving(status) && <Progress label={label} />}
        {project.failure && (
          <Alert variant="danger" title="What went wrong">
            {project.failure}
          </Alert>
        )}
        <div className="row">
          {words.action && <StateAction project={project} action={words.action} />}
          {status === 'REMOVED' ? (
            <Link to="/org/$slug" params={{ slug }} className={buttonClass({ size: 'form' })}>
              All projects
            </Link>
          ) : (
            <Link
              to="/project/$ref/settings/general"
              params={{ ref }}
              className={buttonClass({ size: 'form' })}
            >
              Project settings
            </Link>
          )}
        </div>
        <CopyButton text={ref} what="project ref">
          {ref}
        </CopyButton>
      </div>
    </Page>
  )
}

function StateAction({
  project,
  action,
}: {
  project: Project
  action: NonNullable<StateWords['action']>
}) {
  const why = useDenials({ organizationSlug: project.organization_slug, projectRef: project.ref })
  const run = useProjectAction(action.run)
  return (
    <>
      <Button
        variant="primary"
        size="form"
        busy={run.isPending}
        disabledReason={why(endpointOf(action.run))}
        onClick={() => run.mutate({ ref: project.ref })}
      >
        {action.label}
      </Button>
      {run.error && (
        <p className="err" role="alert">
          {run.error.message}
        </p>
      )}
    </>
  )
}
