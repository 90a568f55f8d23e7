import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { projectQuery } from '../../../session/project/project.ts'
import { Card, WaitingCard } from '../../../ui/Card.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { CustomHostname } from './CustomHostname.tsx'
import { domainsQuery } from './queries.ts'
import { VanitySubdomain } from './VanitySubdomain.tsx'
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
