import { Link } from '@tanstack/react-router'
import { Globe } from 'lucide-react'
import { useState } from 'react'
import { domains as api } from '#contract/projects/domains'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { buttonClass, Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { Status } from '../../../ui/text/Status.tsx'
import { Ago } from '../../../ui/text/Time.tsx'
import { EnableAddOn, DisableAddOn } from './EnableAddOn.tsx'
import { HostnameCard, type HostnameProps } from './HostnameCard.tsx'
import { useChangeNames, type NamesProps } from './queries.ts'

/** The card of the custom hostname, by how far it has come. */
export function CustomHostname({ project, domains }: NamesProps) {
  const { custom, plan, target, add_on: isEnabled } = domains
  // What is there is shown, whatever has become of the plan or the installation since.
  if (custom?.status === 'active')
    return <ActiveHostname project={project} domains={domains} custom={custom} />
  if (custom && isEnabled && target !== null)
    // Another name begins anew.
    return (
      <PendingHostname key={custom.hostname} project={project} domains={domains} custom={custom} />
    )
  if (target === null)
    return (
      <Card title="Custom hostname" padded={false}>
        <EmptyState icon={Globe} title="This installation has no public hostname">
          A custom hostname points to a public hostname of the installation with a CNAME record. Its
          operator sets one with <span className="mono">PLINTH_CUSTOM_HOSTNAME_TARGET</span>.
        </EmptyState>
      </Card>
    )
  if (!plan.custom)
    return (
      <Card title="Custom hostname" padded={false}>
        <EmptyState
          icon={Globe}
          title="Custom hostnames need the Pro plan"
          action={
            <Link
              className={buttonClass({ variant: 'primary' })}
              to="/org/$slug/billing"
              params={{ slug: project.organization_slug }}
            >
              See plans
            </Link>
          }
        >
          With one, apps reach this project at an address such as{' '}
          <span className="mono">api.example.com</span>, and emails and file URLs show it.
        </EmptyState>
      </Card>
    )
  if (!isEnabled) return <EnableAddOn project={project} />
  return <HostnameForm project={project} domains={domains} />
}

/** The first step: which hostname. */
function HostnameForm({ project }: NamesProps) {
  const { ref, organization_slug: organizationSlug } = project
  const [hostname, setHostname] = useState('')
  const why = useDenials({ organizationSlug, projectRef: ref })
  const initialize = useChangeNames(api.initialize, ref)
  const denied = why(api.initialize)
  return (
    <Form
      error={undefined}
      pending={initialize.isPending}
      onSubmit={() => {
        if (hostname.trim() !== '' && !denied) initialize.mutate({ ref, hostname })
      }}
    >
      <Card
        title="Custom hostname"
        footer={
          <>
            <DisableAddOn project={project} />
            <Button
              type="submit"
              size="form"
              variant="primary"
              busy={initialize.isPending}
              disabled={hostname.trim() === ''}
              disabledReason={denied}
            >
              Add hostname
            </Button>
          </>
        }
      >
        <TextField
          label="Hostname"
          mono
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="api.example.com"
          help="Use a subdomain: most DNS providers allow no CNAME record at the top of a domain."
          error={initialize.error?.message}
          disabled={denied !== undefined}
          value={hostname}
          onChange={(event) => {
            initialize.reset()
            setHostname(event.target.value)
          }}
        />
      </Card>
    </Form>
  )
}

/** A hostname that reaches the project, or would if it were paid for. */
function ActiveHostname({ project, domains, custom }: HostnameProps) {
  const { hostname, served, failing_since: failing } = custom
  const canEnable = !served && domains.plan.custom
  return (
    <>
      <HostnameCard
        {...{ project, domains, custom }}
        status={
          <Status tone={served ? (failing === null ? 'success' : 'warning') : 'paused'}>
            {served ? 'Active' : 'Not served'}
          </Status>
        }
        warnings={
          <>
            {!served && (
              <Alert variant="warning" title={`Requests to ${hostname} are not answered`}>
                {canEnable
                  ? 'The custom domain add-on is disabled. Enable it to serve this hostname again.'
                  : "The organization's plan does not include custom hostnames."}
              </Alert>
            )}
            {failing !== null && (
              <Alert variant="warning" title="A DNS record is missing">
                This was first noticed <Ago at={failing} />. Requests that reach this installation
                are still answered.{' '}
                {domains.certificates &&
                  'The certificate is not renewed until the records are back. '}
                Restore the records below, or delete the hostname.
              </Alert>
            )}
          </>
        }
      >
        <CopyText text={custom.url} what="custom URL" />
      </HostnameCard>
      {canEnable && <EnableAddOn project={project} />}
    </>
  )
}

/** A hostname on its way: its records, and its activation once they are there. */
function PendingHostname({ project, domains, custom }: HostnameProps) {
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
