import { useState } from 'react'
import { domains as api } from '#contract/projects/domains'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { Status } from '../../../ui/text/Status.tsx'
import { HostnameCard, type HostnameProps } from './HostnameCard.tsx'
import { useChangeNames } from './queries.ts'

/** A hostname on its way: its records, and its activation once they are there. */
export function PendingHostname({ project, domains, custom }: HostnameProps) {
  const { ref, organization_slug: organizationSlug } = project
  const { hostname, status, failing_since: lost } = custom
  const isVerified = status === 'verified'
  const [asking, setAsking] = useState(false)
  const why = useDenials({ organizationSlug, projectRef: ref })
  const activate = useChangeNames(api.activate, ref, () => {
    setAsking(false)
    toast.success(`${hostname} is active`)
  })
  return (
    <>
      <HostnameCard
        {...{ project, domains, custom }}
        status={
          <Status tone={isVerified ? 'success' : 'working'}>
            {isVerified ? 'Verified' : 'Waiting for DNS'}
          </Status>
        }
        actions={
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
        }
        warnings={
          lost !== null && (
            <Alert variant="warning" title={`${hostname} now belongs to another project`}>
              Its DNS names another project of this installation. To get it back, add the TXT record
              below and remove the other one.
            </Alert>
          )
        }
      >
        <p>
          Add these records for <strong className="mono">{hostname}</strong> at your DNS provider.
          Changes can take a while to propagate; they are checked every 10 minutes.
        </p>
      </HostnameCard>
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
    </>
  )
}
