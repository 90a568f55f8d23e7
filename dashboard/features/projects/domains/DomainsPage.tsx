import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { domains as api } from '#contract/projects/domains'
import { useDenials } from '../../../session/organization/permissions.ts'
import { projectQuery } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Card, WaitingCard } from '../../../ui/Card.tsx'
import { Button, buttonClass } from '../../../ui/controls/Button.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { Status } from '../../../ui/text/Status.tsx'
import { CustomHostname } from './CustomHostname.tsx'
import { domainsQuery, useChangeNames, type NamesProps } from './queries.ts'
import './domains.css'

/** /project/{ref}/settings/custom-domains */
export function DomainsPage({ projectRef }: { projectRef: string }) {
  return (
    <Page width="list">
      <PageHead
        title="Custom domains"
        help="Serve the APIs of this project under a hostname of your own."
      />
      <div className="sections">
        <Names projectRef={projectRef} />
      </div>
    </Page>
  )
}

function Names({ projectRef }: { projectRef: string }) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  const { data, error, refetch } = useQuery(domainsQuery(projectRef))
  if (!data)
    return (
      <WaitingCard
        title="Custom hostname"
        what="Custom domains"
        height={160}
        error={error}
        onRetry={refetch}
      />
    )
  return (
    <>
      <CustomHostname project={project} domains={data} />
      {(data.vanity_domain !== null || data.vanity) && (
        <VanitySubdomain project={project} domains={data} />
      )}
      <Card title="Default address">
        <div className="form-stack">
          <CopyText text={data.url} what="default address" />
          <p className="muted">
            This address always works, also while a custom hostname is active. Access tokens name it
            as their issuer, so users stay signed in when a hostname changes.
          </p>
        </div>
      </Card>
    </>
  )
}

/** A name below the domain of the installation, where there are such names. */
function VanitySubdomain({ project, domains }: NamesProps) {
  if (domains.vanity) return <PresentName project={project} domains={domains} />
  if (domains.plan.vanity) return <NameForm project={project} domains={domains} />
  return (
    <Card title="Vanity subdomain">
      <Alert
        variant="info"
        title="Vanity subdomains need the Pro plan"
        action={
          <Link
            className={buttonClass({})}
            to="/org/$slug/billing"
            params={{ slug: project.organization_slug }}
          >
            See plans
          </Link>
        }
      >
        With one, this project has a readable address below{' '}
        <span className="mono">{domains.vanity_domain}</span>.
      </Alert>
    </Card>
  )
}

function NameForm({ project, domains }: NamesProps) {
  const { ref, organization_slug: organizationSlug } = project
  const [name, setName] = useState('')
  const why = useDenials({ organizationSlug, projectRef: ref })
  const denied = why(api.activateVanity)
  const activate = useChangeNames(api.activateVanity, ref, () =>
    toast.success('Vanity subdomain is active'),
  )
  return (
    <Form
      error={undefined}
      pending={activate.isPending}
      onSubmit={() => {
        if (name.trim() !== '' && !denied) activate.mutate({ ref, name })
      }}
    >
      <Card
        title="Vanity subdomain"
        footer={
          <Button
            type="submit"
            size="form"
            variant="primary"
            busy={activate.isPending}
            disabled={name.trim() === ''}
            disabledReason={denied}
          >
            Activate subdomain
          </Button>
        }
      >
        <TextField
          label="Name"
          mono
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          unit={`.${domains.vanity_domain ?? ''}`}
          help="3 to 63 lower-case letters, digits and hyphens."
          error={activate.error?.message}
          disabled={denied !== undefined}
          value={name}
          onChange={(event) => {
            activate.reset()
            setName(event.target.value)
          }}
        />
      </Card>
    </Form>
  )
}

function PresentName({ project, domains: { vanity } }: NamesProps) {
  const { ref, organization_slug: organizationSlug } = project
  const [asking, setAsking] = useState(false)
  const why = useDenials({ organizationSlug, projectRef: ref })
  const remove = useChangeNames(api.removeVanity, ref, () =>
    toast.success('Vanity subdomain was deleted'),
  )
  if (!vanity) return null
  return (
    <Card
      title="Vanity subdomain"
      end={
        <Status tone={vanity.served ? 'success' : 'paused'}>
          {vanity.served ? 'Active' : 'Not served'}
        </Status>
      }
      footer={
        <Button
          size="form"
          disabledReason={why(api.removeVanity)}
          onClick={() => {
            remove.reset()
            setAsking(true)
          }}
        >
          Delete subdomain
        </Button>
      }
    >
      <CopyText text={vanity.url} what="vanity URL" />
      {asking && (
        <ConfirmDialog
          open
          onClose={() => setAsking(false)}
          title="Delete vanity subdomain"
          verb="Delete subdomain"
          error={remove.error?.message}
          pending={remove.isPending}
          onConfirm={() => remove.mutate({ ref })}
        >
          <p>
            Apps that use {vanity.url} stop working, and other projects can take the name. The
            default address keeps working.
          </p>
        </ConfirmDialog>
      )}
    </Card>
  )
}
