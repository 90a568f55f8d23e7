import { useState } from 'react'
import { domains as api, type CustomHostname } from '#contract/projects/domains'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { Status } from '../../../ui/text/Status.tsx'
import { Ago } from '../../../ui/text/Time.tsx'
import type { NamesProps } from './names-props.ts'
import { DeleteHostname } from './DeleteHostname.tsx'
import { DnsRecords, ProxyNote } from './DnsRecords.tsx'
import { useChangeNames } from './queries.ts'

type Props = NamesProps & { custom: CustomHostname; target: string }

/** A hostname on its way: its records, and its activation once they are there. */
export function PendingHostname({ project, domains, custom }: Props) {
  const { ref, organization_slug: organizationSlug } = project
  const { hostname, status, failing_since: lost } = custom
  const isVerified = status === 'verified'
  const [asking, setAsking] = useState(false)
  const why = useDenials({ organizationSlug, projectRef: ref })
  const check = useChangeNames(api.reverify, ref)
  const activate = useChangeNames(api.activate, ref, () => {
    setAsking(false)
    toast.success(`${hostname} is active`)
  })
  return (
    <Card
      title="Custom hostname"
      end={
        <Status tone={isVerified ? 'success' : 'working'}>
          {isVerified ? 'Verified' : 'Waiting for DNS'}
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
          <Button
            size="form"
            variant="primary"
            disabledReason={
              why(api.activate) ?? (isVerified ? undefined : 'Both DNS records must be found first')
            }
            onClick={() => {
              activate.reset()
              setAsking(true)
            }}
          >
            Activate hostname
          </Button>
        </>
      }
    >
      <div className="form-stack">
        {lost !== null && (
          <Alert variant="warning" title={`${hostname} now belongs to another project`}>
            Its DNS names another project of this installation. To get it back, add the TXT record
            below and remove the other one.
          </Alert>
        )}
        {check.error && <Alert variant="danger" title={check.error.message} />}
        <p>
          Add these records for <strong className="mono">{hostname}</strong> at your DNS provider.
          Changes can take a while to propagate; they are checked every 10 minutes.
        </p>
        <DnsRecords records={custom.records} />
        {custom.checked_at !== null && (
          <p className="muted">
            Last checked <Ago at={custom.checked_at} />.
          </p>
        )}
        <ProxyNote domains={domains} hostname={hostname} />
      </div>
      {asking && (
        <ConfirmDialog
          open
          onClose={() => setAsking(false)}
          title="Activate custom hostname"
          verb="Activate hostname"
          danger={false}
          error={activate.error?.message}
          pending={activate.isPending}
          onConfirm={() => activate.mutate({ ref })}
        >
          <p>
            Emails, file URLs and the Connect dialog will show{' '}
            <span className="mono">{custom.url}</span>. If users sign in with other providers, add
            this callback URL there first:
          </p>
          <CopyText text={`${custom.url}/auth/v1/callback`} what="callback URL" />
        </ConfirmDialog>
      )}
    </Card>
  )
}
