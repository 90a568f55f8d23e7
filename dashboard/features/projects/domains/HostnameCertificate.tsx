import { domains as api, type HostnameCertificate as Certificate } from '#contract/projects/domains'
import type { Project } from '#contract/projects/projects'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { exactTime } from '../../../ui/text/time.ts'
import { Status } from '../../../ui/text/Status.tsx'
import { Time, useNow } from '../../../ui/text/Time.tsx'
import { useChangeNames } from './queries.ts'

type Props = { project: Project; certificate: Certificate }

/** How far the certificate of a served hostname has come, where the installation gets it by itself. */
export function HostnameCertificate({ project, certificate }: Props) {
  const { failure } = certificate
  return (
    <section className="certificate" aria-label="Certificate">
      <div className="dns-head">
        <b className="grow">Certificate</b>
        <State certificate={certificate} />
      </div>
      {failure !== null && (
        <Failure project={project} certificate={certificate} failure={failure} />
      )}
    </section>
  )
}

function State({ certificate: { state, until } }: Pick<Props, 'certificate'>) {
  if (state === 'issuing') return <Status tone="working">Issuing</Status>
  if (state === 'failed') return <Status tone="danger">Failed</Status>
  return (
    <Status tone="success">
      <span>Active until {until !== null && <Time at={until} />}</span>
    </Status>
  )
}

function Failure({ project, certificate, failure }: Props & { failure: string }) {
  const { ref, organization_slug: organizationSlug } = project
  const { state, next_at: next } = certificate
  const why = useDenials({ organizationSlug, projectRef: ref })
  const now = useNow()
  const retry = useChangeNames(api.retryCertificate, ref)
  const isRunning = next === null
  const nextTry = isRunning
    ? 'Another try is under way.'
    : new Date(next) <= now
      ? 'The next try begins in a moment.'
      : `Next try at ${exactTime(new Date(next))}.`
  return (
    <>
      <Alert
        variant={state === 'failed' ? 'danger' : 'warning'}
        title={
          state === 'failed'
            ? 'The certificate could not be issued'
            : 'The certificate could not be renewed'
        }
        action={
          <Button
            size="form"
            busy={retry.isPending || isRunning}
            disabledReason={why(api.retryCertificate)}
            onClick={() => retry.mutate({ ref })}
          >
            Try again
          </Button>
        }
      >
        {failure.replace(/\.?$/, '.')} {nextTry}
      </Alert>
      {retry.error && <Alert variant="warning" title={retry.error.message} />}
    </>
  )
}
