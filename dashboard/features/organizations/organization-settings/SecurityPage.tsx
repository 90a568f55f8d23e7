import { useQuery } from '@tanstack/react-query'
import { api } from '#contract/api'
import { q } from '../../../api/client.ts'
import { useOrganization } from '../../../session/organization/organizations.ts'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { FactorCard } from './FactorCard.tsx'
import { shownFactorQuery } from './queries.ts'
import './organization-settings.css'

/** /org/{slug}/security */
export function SecurityPage({ slug }: { slug: string }) {
  const organization = useOrganization(slug)
  const members = useQuery(q(api.members.list, { slug }))
  const { data: shown } = useQuery(shownFactorQuery)
  return (
    <Page width="form">
      <PageHead title="Security" help="Security requirements for members of this organization." />
      <div className="sections">
        <FactorCard organization={organization} members={members.data} shown={shown} />
      </div>
    </Page>
  )
}
