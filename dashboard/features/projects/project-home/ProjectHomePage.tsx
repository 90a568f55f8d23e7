import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { BookOpen, GitFork, Gauge, ShieldAlert } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { projects } from '#contract/projects/projects'
import { computeSizes } from '#contract/projects/compute-sizes'
import type { UsageRange } from '#contract/projects/project-home'
import type { Project } from '#contract/projects/projects'
import { advisors } from '#contract/observability/advisors'
import { q } from '../../../api/client.ts'
import { useHasRoute } from '../../../session/organization/has-route.ts'
import { postgresLabel } from '../../../session/project/postgres-label.ts'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { statusView } from '../../../session/project/project-status.ts'
import { projectQuery } from '../../../session/project/project.ts'
import { rangeChoices } from '../../../session/organization/usage-range.ts'
import { placeOf } from '../../../session/project/regions.ts'
import { Badge, type Tone } from '../../../ui/text/Badge.tsx'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { Later } from '../../../ui/Later.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { useNarrow } from '../../../ui/use-narrow.ts'
import type { StatusTone } from '../../../ui/text/Status.tsx'
import { useContent } from '../../../session/organization/mode.ts'
import { Card } from '../../../ui/Card.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { Ago } from '../../../ui/text/Time.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { findingsOf } from './findings.ts'
import { ApiCard } from './ApiCard.tsx'
import { libraries, markOf, type Library } from './libraries.ts'
import { servicesQuery } from './queries.ts'
import { RecentCard } from './RecentCard.tsx'
import { ResourcesCard } from './ResourcesCard.tsx'
import { ServicesCard } from './ServicesCard.tsx'
import { StatementsCard } from './StatementsCard.tsx'
import { StepsCard } from './StepsCard.tsx'
import './project-home.css'

const badgeTones: Record<StatusTone, Tone> = {
  success: 'success',
  warning: 'warning',
  danger: 'danger',
  working: 'neutral',
  paused: 'neutral',
  off: 'neutral',
}
type Props = {
  projectRef: string
  range: UsageRange
  onRange: (range: UsageRange) => void
  /** What can be done with the project, in the corner. */
  menu: (project: Project) => ReactNode
}

/** /project/{ref}: how the project is, what is new, and how to reach it. */
export function ProjectHomePage({ projectRef, range, onRange, menu }: Props) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  // A query tells of changes to what was read of it while its component was drawn. Given away as a whole, it would be read
  // by what is drawn later, and an answer that comes in the midst of that would be told to nobody.
  const { data: settings, error, refetch } = useQuery(q(projects.settings, { ref: projectRef }))
  const has = useHasRoute()
  const isNarrow = useNarrow('(max-width: 1023px)')
  const right = (
    <div>
      {has('/project/$ref/advisors/security') && <AdvisorsCard projectRef={projectRef} />}
      <ResourcesCard project={project} />
      <Later>
        <RecentCard projectRef={projectRef}>
          <LibrariesCard />
          <ExamplesCard />
        </RecentCard>
      </Later>
    </div>
  )
  return (
    <Page>
      <PageHead
        title={
          <>
            {project.name}
            <Health project={project} />
          </>
        }
        help={<Facts project={project} />}
        actions={
          <>
            <Segmented
              label="Requests of the last"
              options={rangeChoices}
              value={range}
              onChange={onRange}
            />
            {menu(project)}
          </>
        }
      />
      <div className="home">
        <div>
          <UpgradeNote failure={project.upgrade_failure} />
          <StepsCard projectRef={projectRef} />
          <ServicesCard projectRef={projectRef} range={range} />
          <Later>
            <ApiCard {...{ project, settings, error }} onRetry={() => void refetch()} />
            <StatementsCard projectRef={projectRef} />
          </Later>
        </div>
        {/* Below the other column it would be pushed down by what that gets later. */}
        {isNarrow ? <Later>{right}</Later> : right}
      </div>
    </Page>
  )
}

/** The project's status; when it runs and a service of it does not, that. */
function Health({ project }: { project: Project }) {
  const { data: services = [] } = useQuery(servicesQuery(project.ref))
  const { label, tone } = statusView(project.status)
  const ill = services.filter(({ healthy }) => !healthy).length
  if (tone === 'success' && ill > 0)
    return (
      <Badge tone="warning" dot>
        {ill} {ill === 1 ? 'service' : 'services'} degraded
      </Badge>
    )
  return (
    <Badge tone={badgeTones[tone]} dot>
      {label}
    </Badge>
  )
}

function Facts({ project }: { project: Project }) {
  const off = useDisabledFeatures()
  // A database that its operator runs is where the operator says, and of the size it is given.
  const hosted = project.cloud_provider !== 'localhost'
  const size = computeSizes[project.infra_compute_size]
  return (
    <span className="row t12 facts">
      <CopyButton text={project.ref} what="project ref">
        {project.ref}
      </CopyButton>
      {hosted && (
        <>
          <span>
            {placeOf(project.region)} <span className="mono faint">{project.region}</span>
          </span>
          {!off('project_homepage:show_instance_size') && (
            <Badge>
              {size.label}, {size.memoryGb} GB
            </Badge>
          )}
        </>
      )}
      <span>{postgresLabel(project.dbVersion)}</span>
    </span>
  )
}

/** Projects to begin with, as the operator of this installation names them. */
function ExamplesCard() {
  const { example_projects: examples } = useContent()
  const off = useDisabledFeatures()
  if (examples.length === 0 || off('project_homepage:show_examples')) return null
  return (
    <Card title="Example projects" padded={false}>
      <ul className="examples">
        {examples.map(({ title, description, url }) => (
          <li key={url}>
            <a className="link" href={url} target="_blank" rel="noreferrer">
              {title}
            </a>
            <span className="muted t12">{description}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** For a project that goes on as an earlier version made it, because it could not be upgraded. */
function UpgradeNote({ failure }: { failure: Project['upgrade_failure'] }) {
  if (!failure) return null
  return (
    <Alert variant="warning" title="The last upgrade of this project failed">
      {failure.reason}. The project works as before, without what the new version adds. Its upgrade
      was last tried <Ago at={failure.at} /> and is tried again each time the project restarts. If
      an object of yours is in the way, rename or drop it first.
    </Alert>
  )
}

/** The public client libraries that this project's services speak to. */
function LibrariesCard() {
  const off = useDisabledFeatures()
  const offered: readonly Library[] = useContent().client_libraries ?? libraries
  return (
    <Card title="Client libraries" padded={false}>
      <ul className="libraries">
        {offered
          .filter(({ feature }) => !(feature && off(feature)))
          .map(({ language, officialSupport, releaseState, docsUrl, gitUrl, altIconName }) => (
            <li key={language}>
              <svg className="mark" width={20} height={20} viewBox="0 0 20 20" aria-hidden>
                <rect x={0.5} y={0.5} width={19} height={19} rx={4} />
                <text x={10} y={13}>
                  {markOf({ language, altIconName })}
                </text>
              </svg>
              <span className="med">{language}</span>
              <Badge>{officialSupport ? 'Official' : 'Community'}</Badge>
              {releaseState && <Badge tone="info">{releaseState}</Badge>}
              <span className="grow" />
              <a
                className="btn sq gho"
                href={docsUrl}
                target="_blank"
                rel="noreferrer"
                title="Reference"
              >
                <Icon of={BookOpen} />
                <span className="sr">{language} reference</span>
              </a>
              <a
                className="btn sq gho"
                href={gitUrl}
                target="_blank"
                rel="noreferrer"
                title="Source"
              >
                <Icon of={GitFork} />
                <span className="sr">{language} source</span>
              </a>
            </li>
          ))}
      </ul>
    </Card>
  )
}

const kinds = [
  { id: 'security', category: 'SECURITY', name: 'Security', icon: ShieldAlert },
  { id: 'performance', category: 'PERFORMANCE', name: 'Performance', icon: Gauge },
] as const

/** How many findings each advisor has, without those that were put aside. */
function AdvisorsCard({ projectRef }: { projectRef: string }) {
  const lints = useQuery(q(advisors.lints, { ref: projectRef }))
  const aside = useQuery(q(advisors.exceptions, { ref: projectRef }))
  return (
    <Card title="Advisors" padded={false}>
      {lints.error && !lints.data ? (
        <ErrorNote what="findings" error={lints.error} onRetry={() => void lints.refetch()} />
      ) : (
        <ul className="recent">
          {kinds.map(({ id, category, name, icon }) => {
            const found =
              lints.data && findingsOf(lints.data.lints, aside.data?.exceptions ?? [], category)
            return (
              <li key={id}>
                <Icon of={icon} size="s" />
                <Link className="grow" to={advisorOf(projectRef, id)}>
                  {name}
                </Link>
                {found ? (
                  <>
                    {found.errors > 0 && (
                      <Badge tone="danger">{amount(found.errors, 'error')}</Badge>
                    )}
                    {found.warnings > 0 && (
                      <Badge tone="warning">{amount(found.warnings, 'warning')}</Badge>
                    )}
                    {found.errors + found.warnings === 0 && (
                      <span className="faint">Nothing found</span>
                    )}
                  </>
                ) : (
                  <Skeleton width="56px" />
                )}
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}

/** A text: the page is there only when this card is. */
const advisorOf = (ref: string, id: string): string => `/project/${ref}/advisors/${id}`

const amount = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`
