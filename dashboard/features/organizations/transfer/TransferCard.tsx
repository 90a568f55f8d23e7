import { useSuspenseQuery } from '@tanstack/react-query'
import { ArrowRightLeft } from 'lucide-react'
import { useState } from 'react'
import { api } from '#contract/api'
import { organizationsQuery } from '../../../session/organization/organizations.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { projectQuery } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { TransferDialog } from './TransferDialog.tsx'

/** In the settings of a project: moves it to another organization. */
export function TransferCard({ projectRef }: { projectRef: string }) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  const { data: organizations } = useSuspenseQuery(organizationsQuery)
  const { organization_slug: organizationSlug } = project
  const off = useDisabledFeatures()
  const why = useDenials({ organizationSlug, projectRef })
  const [asking, setAsking] = useState(false)
  const others = organizations.filter(({ slug }) => slug !== organizationSlug)
  const own = organizations.find(({ slug }) => slug === organizationSlug)
  const reason =
    (off('projects:transfer') ? 'Transferring projects is switched off here' : undefined) ??
    why(api.transfer.run) ??
    (others.length === 0 ? 'You are not in another organization' : undefined)
  return (
    <Card title="Transfer project" padded={false}>
      <div className="set-row">
        <div className="grow">
          <p>
            It moves from {own?.name ?? organizationSlug} to another of your organizations, with
            everything in it. Its ref, URL and keys stay the same.
          </p>
        </div>
        <Button icon={ArrowRightLeft} disabledReason={reason} onClick={() => setAsking(true)}>
          Transfer project
        </Button>
      </div>
      {asking && (
        <TransferDialog project={project} others={others} onClose={() => setAsking(false)} />
      )}
    </Card>
  )
}
