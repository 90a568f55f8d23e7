import { domains as api, type CustomHostname } from '#contract/projects/domains'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { Status } from '../../../ui/text/Status.tsx'
import { Ago } from '../../../ui/text/Time.tsx'
import type { NamesProps } from './names-props.ts'
import { DeleteHostname } from './DeleteHostname.tsx'
import { DnsRecords, ProxyNote } from './DnsRecords.tsx'
import { EnableAddOn } from './EnableAddOn.tsx'
import { useChangeNames } from './queries.ts'

type Props = NamesProps & { custom: CustomHostname }

/** A hostname that reaches the project, or would if it were paid for. */
export function ActiveHostname({ project, domains, custom }: Props) {
  const { ref, organization_slug: organizationSlug } = project
  const { hostname, served, failing_since: failing } = custom
  const why = useDenials({ organizationSlug, projectRef: ref })
  const check = useChangeNames(api.reverify, ref)
  const canEnable = !served && domains.plan.custom
  return (
    <>
      <Card
        title="Custom hostname"
        end={
          <Status tone={served ? (failing === null ? 'success' : 'warning') : 'paused'}>
            {served ? 'Active' : 'Not served'}
          </Status>
        }
        footer={
          <>
            <DeleteHostname project={project} custom={custom} />
            <Button
              size="form"
              busy={check.isPending}
              disabledReason={why(api.reverify)}
              onClick={() => check.mutate({ ref })}
            >
              Check records
            </Button>
          </>
        }
      >
        <div className="form-stack">
          {!served && (
            <Alert variant="warning" title={`Requests to ${hostname} are not answered`}>
              {canEnable
                ? 'The custom domain add-on is disabled. Enable it to serve this hostname again.'
                : "The organization's plan does not include custom hostnames."}
            </Alert>
          )}
          {failing !== null && (
            <Alert variant="warning" title="A DNS record is missing">
              This was first noticed <Ago at={failing} />. Requests that reach this installation are
              still answered. Restore the records below, or delete the hostname.
            </Alert>
          )}
          {check.error && <Alert variant="danger" title={check.error.message} />}
          <CopyText text={custom.url} what="custom URL" />
          <DnsRecords records={custom.records} />
          {custom.checked_at !== null && (
            <p className="muted">
              Last checked <Ago at={custom.checked_at} />.
            </p>
          )}
          <ProxyNote domains={domains} hostname={hostname} />
        </div>
      </Card>
      {canEnable && <EnableAddOn project={project} />}
    </>
  )
}
