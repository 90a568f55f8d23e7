import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { KeyRound } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { sso as api, type SsoDomain } from '#contract/organizations/sso'
import { hasFeature } from '#contract/billing/plan-comparison'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { Card } from '../../../ui/Card.tsx'
import { DangerCard } from '../../../ui/DangerCard.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { useOrganization } from '../../../session/organization/organizations.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { Status } from '../../../ui/text/Status.tsx'
import { useSsoChange, ssoQuery } from './queries.ts'
import { ProviderForm } from './ProviderForm.tsx'
import './sso.css'

/** /org/{slug}/sso */
export function SsoPage({ slug }: { slug: string }) {
  const settings = useQuery(ssoQuery(slug))
  const [beginning, setBeginning] = useState(false)
  const { data } = settings
  const { plan } = useOrganization(slug)
  const included = hasFeature(plan.id, 'security.sso')
  const shown = beginning || data?.provider
  return (
    <Page width="form">
      <PageHead
        title="Single sign-on"
        help="People sign in with your identity provider and become members automatically."
      />
      <div className="sections">
        {settings.error && !data && (
          <ErrorNote
            what="single sign-on"
            error={settings.error}
            onRetry={() => void settings.refetch()}
          />
        )}
        {settings.isPending && <SsoSkeleton />}
        {data && !included && (
          <Alert
            variant="info"
            title="Single sign-on comes with the Team and Enterprise plans"
            action={
              <Link className="btn" to="/org/$slug/billing" params={{ slug }}>
                See plans
              </Link>
            }
          >
            {`This organization is on the ${plan.name} plan.${data.provider ? ' Members sign in as before, but nobody new joins this way.' : ''}`}
          </Alert>
        )}
        {data && !shown && <NoProvider slug={slug} onBegin={() => setBeginning(true)} />}
        {data && shown && (
          <ProviderForm
            // What was typed is not mixed with what somebody else saved.
            key={data.provider?.updated_at ?? 'new'}
            slug={slug}
            settings={data}
            onCancel={() => setBeginning(false)}
          />
        )}
        {data?.provider && <DomainsCard slug={slug} domains={data.domains} />}
        {data?.provider && <RemoveCard slug={slug} onRemoved={() => setBeginning(false)} />}
      </div>
    </Page>
  )
}

/** While the settings are read: a card of about their height. */
function SsoSkeleton() {
  return (
    <Card title="Identity provider">
      <div className="form-stack" aria-busy="true">
        <progress className="sr" aria-label="Loading" />
        {['30%', '100%', '30%', '100%'].map((width, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- these lines never change places
          <Skeleton key={index} width={width} />
        ))}
      </div>
    </Card>
  )
}

type Props = { slug: string; onRemoved: () => void }

function RemoveCard({ slug, onRemoved }: Props) {
  const reason = useDenials({ organizationSlug: slug })(api.remove)
  const [asking, setAsking] = useState(false)
  const remove = useSsoChange(api.remove, slug, 'Single sign-on is removed', () => {
    setAsking(false)
    onRemoved()
  })
  return (
    <DangerCard
      title="Remove single sign-on"
      verb="Remove"
      about="People who sign in through it are signed out and cannot sign in that way any more."
      reason={reason}
      onAsk={() => setAsking(true)}
    >
      <ConfirmDialog
        open={asking}
        onClose={() => {
          setAsking(false)
          remove.reset()
        }}
        title="Remove single sign-on?"
        verb="Remove single sign-on"
        error={remove.error?.message}
        pending={remove.isPending}
        onConfirm={() => remove.mutate({ slug })}
      >
        <p>The connection to your identity provider is deleted.</p>
        <ul className="lost">
          <li>People who came through it stay members, but are signed out and cannot sign in</li>
          <li>Your domain verification is deleted</li>
        </ul>
      </ConfirmDialog>
    </DangerCard>
  )
}

type NoProviderProps = { slug: string; onBegin: () => void }

/** Nothing is set up: what it would be good for, and why not when the plan does not have it. */
function NoProvider({ slug, onBegin }: NoProviderProps) {
  const { plan } = useOrganization(slug)
  const reason = useDenials({ organizationSlug: slug })(api.create)
  const included = hasFeature(plan.id, 'security.sso')
  const planReason = included ? undefined : `The ${plan.name} plan does not include single sign-on`
  return (
    <>
      <Card padded={false}>
        <EmptyState
          icon={KeyRound}
          title="Not set up"
          action={
            <Button
              variant={included ? 'primary' : 'secondary'}
              disabledReason={reason ?? planReason}
              onClick={onBegin}
            >
              Set up single sign-on
            </Button>
          }
        >
          Connect a SAML 2.0 or OpenID Connect provider, and everyone with an email at your domains
          signs in there.
        </EmptyState>
      </Card>
    </>
  )
}

type DomainsCardProps = { slug: string; domains: readonly SsoDomain[] }

/** Which domains count already, and what has to be done for the others. */
function DomainsCard({ slug, domains }: DomainsCardProps) {
  return (
    <Card title="Domains" padded={false}>
      {domains.map((row) => (
        <DomainRow key={row.domain} slug={slug} row={row} />
      ))}
    </Card>
  )
}

function DomainRow({ slug, row }: { slug: string; row: SsoDomain }) {
  const { domain, record, verified_at: verifiedAt } = row
  const reason = useDenials({ organizationSlug: slug })(api.verifyDomain)
  const verify = useSsoChange(api.verifyDomain, slug, `${domain} is verified`)
  return (
    <div className="sso-domain">
      <div className="row">
        <span className="mono ell">{domain}</span>
        <span className="grow" />
        <Status tone={verifiedAt ? 'success' : 'warning'}>
          {verifiedAt ? 'Verified' : 'Waiting for its DNS record'}
        </Status>
        {!verifiedAt && (
          <Button
            aria-label={`Verify ${domain}`}
            busy={verify.isPending}
            disabledReason={reason}
            onClick={() => verify.mutate({ slug, domain })}
          >
            Verify
          </Button>
        )}
      </div>
      {!verifiedAt && (
        <>
          <p className="muted">
            No one signs in with this domain yet. Add this TXT record at your DNS provider.
          </p>
          <CopyText label="Name" text={record.name} what={`record name of ${domain}`} />
          <CopyText label="Value" text={record.value} what={`record value of ${domain}`} />
          {verify.error && (
            <p className="err" role="alert">
              {verify.error.message}
            </p>
          )}
        </>
      )}
    </div>
  )
}
