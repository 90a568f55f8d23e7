import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { api } from '#contract/api'
import { computeSizes } from '#contract/compute-sizes'
import { q } from '../../api/client.ts'
import { statusView } from '../../session/project-status.ts'
import { projectQuery } from '../../session/project.ts'
import { Badge, type Tone } from '../../ui/Badge.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import type { StatusTone } from '../../ui/StatusDot.tsx'
import { ApiCard } from './ApiCard.tsx'
import { DatabaseCard } from './DatabaseCard.tsx'
import { DetailsCard } from './DetailsCard.tsx'
import { postgresLabel } from './postgres-label.ts'
import { ProjectMenu } from './ProjectMenu.tsx'
import { placeOf } from './regions.ts'
import { SnippetCard } from './SnippetCard.tsx'
import { StartCard } from './StartCard.tsx'
import './projects.css'

const badgeTones: Record<StatusTone, Tone> = {
  success: 'success',
  warning: 'warning',
  danger: 'danger',
  working: 'neutral',
  paused: 'neutral',
  off: 'neutral',
}

/** /project/{ref}: what the project is, and how to reach it. */
export function ProjectHomePage({ projectRef }: { projectRef: string }) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  const settings = useQuery(q(api.projects.settings, { ref: projectRef }))
  const { label, tone } = statusView(project.status)
  // A database that its operator runs is reached as the operator says.
  const hosted = project.cloud_provider !== 'localhost'
  const size = computeSizes[project.infra_compute_size]
  return (
    <Page>
      <PageHead
        title={
          <>
            {project.name}
            <Badge tone={badgeTones[tone]} dot>
              {label}
            </Badge>
          </>
        }
        help={
          <span className="row t12 facts">
            <CopyButton text={project.ref} what="project ref">
              {project.ref}
            </CopyButton>
            {hosted && (
              <>
                <span>
                  {placeOf(project.region)} <span className="mono faint">{project.region}</span>
                </span>
                <span>
                  {size.label}, {size.memoryGb} GB
                </span>
              </>
            )}
            <span>{postgresLabel(project.dbVersion)}</span>
          </span>
        }
        actions={<ProjectMenu project={project} />}
      />
      <div className="home">
        <div>
          <ApiCard project={project} settings={settings} />
          <SnippetCard project={project} />
          {hosted && <DatabaseCard project={project} />}
        </div>
        <div>
          <StartCard projectRef={project.ref} />
          <DetailsCard project={project} />
        </div>
      </div>
    </Page>
  )
}
