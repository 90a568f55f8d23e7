import { sso as api, type SsoDomain } from '#contract/organizations/sso'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { Status } from '../../../ui/text/Status.tsx'
import { useSsoChange } from './queries.ts'

type Props = { slug: string; domains: readonly SsoDomain[] }

/** Which domains count already, and what has to be done for the others. */
export function DomainsCard({ slug, domains }: Props) {
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
