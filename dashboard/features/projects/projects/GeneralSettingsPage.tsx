import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSelfHosted } from '../../../session/organization/mode.ts'
import { projectQuery } from '../../../session/project/project.ts'
import { Card } from '../../../ui/Card.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { Page } from '../../../ui/Page.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { AvailabilityCard } from './AvailabilityCard.tsx'
import { DeleteCard } from './DeleteCard.tsx'
import { NameCard } from './NameCard.tsx'
import { PortCard } from './PortCard.tsx'
import './projects.css'

type Props = {
  projectRef: string
  /** Cards of other features, above the one that deletes. */
  more: ReactNode
  onDeleted: (organizationSlug: string) => void
}

/** /project/{ref}/settings/general */
export function GeneralSettingsPage({ projectRef, more, onDeleted }: Props) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  const selfHosted = useSelfHosted()
  return (
    <Page width="form">
      <PageHead title="General" help="Settings of this project." />
      <div className="sections">
        <NameCard project={project} />
        <Card title="Identity">
          <div className="labelled">
            <span>
              Project ref <span className="muted">Never changes. It is part of the URL.</span>
            </span>
            <CopyText text={project.ref} what="project ref" />
          </div>
        </Card>
        <PortCard project={project} />
        {!selfHosted && (
          <>
            <AvailabilityCard project={project} />
            {more}
            <DeleteCard project={project} onDeleted={() => onDeleted(project.organization_slug)} />
          </>
        )}
      </div>
    </Page>
  )
}
