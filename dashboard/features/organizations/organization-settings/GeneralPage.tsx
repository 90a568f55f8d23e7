import { useOrganization } from '../../../session/organization/organizations.ts'
import { Card } from '../../../ui/Card.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { Page } from '../../../ui/Page.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { AiCard } from './AiCard.tsx'
import { DeleteCard } from './DeleteCard.tsx'
import { DetailsCard } from './DetailsCard.tsx'

type Props = { slug: string; onDeleted: () => Promise<void> }

/** /org/{slug}/general */
export function GeneralPage({ slug, onDeleted }: Props) {
  const organization = useOrganization(slug)
  return (
    <Page width="form">
      <PageHead title="General" help="Settings of this organization." />
      <div className="sections">
        <DetailsCard organization={organization} />
        <Card title="Identity">
          <div className="labelled">
            <span>
              Slug{' '}
              <span className="muted">Never changes, because links, scripts and tools use it.</span>
            </span>
            <CopyText text={organization.slug} what="slug" />
          </div>
        </Card>
        <AiCard organization={organization} />
        <DeleteCard organization={organization} onDeleted={onDeleted} />
      </div>
    </Page>
  )
}
