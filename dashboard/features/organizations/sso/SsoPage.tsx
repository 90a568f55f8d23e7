import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Page } from '../../../ui/Page.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { DomainsCard } from './DomainsCard.tsx'
import { NoProvider } from './NoProvider.tsx'
import { ProviderForm } from './ProviderForm.tsx'
import { ssoQuery } from './queries.ts'
import { RemoveCard } from './RemoveCard.tsx'
import './sso.css'

/** /org/{slug}/sso */
export function SsoPage({ slug }: { slug: string }) {
  const settings = useQuery(ssoQuery(slug))
  const [beginning, setBeginning] = useState(false)
  const { data } = settings
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
