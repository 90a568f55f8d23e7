import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { LayoutGrid, List, SearchX, Database, Plus } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { Link } from '@tanstack/react-router'
import type { ProjectListItem } from '#contract/projects/projects'
import { computeSizes } from '#contract/projects/compute-sizes'
import { projects as api } from '#contract/projects/projects'
import { FavoriteButton } from '../../../modules/favorites/FavoriteButton.tsx'
import { UsageStrip } from '../../../modules/usage/UsageStrip.tsx'
import { useOrganization } from '../../../session/organization/organizations.ts'
import { isMoving, statusView } from '../../../session/project/project-status.ts'
import { organizationProjectsQuery } from '../../../session/project/project-lists.ts'
import { trashCountQuery } from '../../../session/project/trash.ts'
import { Button, buttonClass } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { counted, numberText } from '../../../ui/text/number.ts'
import { Status } from '../../../ui/text/Status.tsx'
import { type Column, Table } from '../../../ui/lists/Table.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { postgresLabel } from '../../../session/project/postgres-label.ts'
import { placeOf } from '../../../session/project/regions.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { endpointOf, useProjectAction } from './project-actions.tsx'
import './projects.css'

export type ProjectsView = 'cards' | 'table'

type Props = { slug: string; view: ProjectsView; onView: (view: ProjectsView) => void }

const views = [
  { value: 'cards', label: 'Cards', icon: LayoutGrid },
  { value: 'table', label: 'Table', icon: List },
] as const

/** /org/{slug}: the projects of an organization. */
export function ProjectsPage({ slug, view, onView }: Props) {
  const organization = useOrganization(slug)
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const query = useInfiniteQuery({
    ...organizationProjectsQuery(slug, search),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.projects.some(({ status }) => isMoving(status)))
        ? 5_000
        : false,
  })
  const projects = query.data?.pages.flatMap((page) => page.projects)
  const count = query.data?.pages[0]?.pagination.count ?? 0
  const none = count === 0 && search === ''
  const List = view === 'cards' ? ProjectCards : ProjectTable
  return (
    <Page>
      <PageHead
        title="Projects"
        help={summary(search || !projects ? organization.project_count : count, organization.name)}
        actions={
          !none && (
            <>
              <SearchField label="Find a project" value={typed} onChange={setTyped} />
              <Segmented label="View" options={views} value={view} onChange={onView} />
              <NewProjectLink slug={slug} />
            </>
          )
        }
      />
      {query.error && !projects ? (
        <div className="card">
          <ErrorNote what="projects" error={query.error} onRetry={() => void query.refetch()} />
        </div>
      ) : projects?.length === 0 ? (
        <div className="card">
          {none ? (
            <NoProjects slug={slug} />
          ) : (
            <EmptyState icon={SearchX} title="No project found">
              None has “{search}” in its name.
            </EmptyState>
          )}
        </div>
      ) : (
        <List projects={projects} />
      )}
      {query.hasNextPage && (
        <div className="more">
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
      <DeletedProjectsLink slug={slug} />
      <UsageStrip slug={slug} />
    </Page>
  )
}

/** Where deleted projects can be restored, while there are any. */
function DeletedProjectsLink({ slug }: { slug: string }) {
  const { data } = useQuery(trashCountQuery(slug))
  const count = data?.pagination.count ?? 0
  if (count === 0) return null
  return (
    <p className="deleted-projects">
      <Link className="link" to="/org/$slug/trash" params={{ slug }}>
        {`Deleted projects (${numberText(count)})`}
      </Link>
    </p>
  )
}

const summary = (count: number, name: string) => `${counted(count, 'project')} in ${name}`

function NoProjects({ slug }: { slug: string }) {
  return (
    <EmptyState icon={Database} title="No projects yet" action={<NewProjectLink slug={slug} />}>
      A project is a dedicated Postgres server with an API in front of it.
    </EmptyState>
  )
}

/** The list as cards; undefined while loading. */
function ProjectCards({ projects }: { projects: readonly ProjectListItem[] | undefined }) {
  return (
    <div className="cards">
      {projects
        ? projects.map((project) => <ProjectCard key={project.ref} project={project} />)
        : [1, 2, 3].map((place) => (
            <div key={place} className="pc" style={{ height: 170 }} aria-hidden />
          ))}
    </div>
  )
}

/** Leads to the form of a new project, or says why this person may not make one. */
function NewProjectLink({ slug }: { slug: string }) {
  const off = useDisabledFeatures()
  const denied = useDenials({ organizationSlug: slug })(api.create)
  const reason = off('projects:create') ? 'New projects are switched off here' : denied
  if (reason)
    return (
      <Button variant="primary" icon={Plus} disabledReason={reason}>
        New project
      </Button>
    )
  return (
    <Link to="/new/$slug" params={{ slug }} className={buttonClass({ variant: 'primary' })}>
      <Icon of={Plus} />
      New project
    </Link>
  )
}

const columns: Column<ProjectListItem>[] = [
  {
    id: 'favorite',
    head: 'Favorite',
    hideHead: true,
    width: '40px',
    cell: (project) => (
      <span className="over">
        <FavoriteButton project={project} />
      </span>
    ),
  },
  {
    id: 'name',
    head: 'Name',
    sortBy: ({ name }) => name,
    cell: ({ ref, name }) => (
      <Link className="cover med" to="/project/$ref" params={{ ref }}>
        {name}
      </Link>
    ),
  },
  {
    id: 'status',
    head: 'Status',
    sortBy: ({ status }) => statusView(status).label,
    cell: ({ status }) => {
      const { label, tone } = statusView(status)
      return <Status tone={tone}>{label}</Status>
    },
  },
  {
    id: 'region',
    head: 'Region',
    wideOnly: true,
    sortBy: ({ region }) => placeOf(region),
    cell: ({ region }) => (
      <>
        {placeOf(region)} <span className="mono faint">{region}</span>
      </>
    ),
  },
  {
    id: 'compute',
    head: 'Compute',
    wideOnly: true,
    sortBy: ({ infra_compute_size: size }) => computeSizes[size].memoryGb,
    cell: ({ infra_compute_size: size }) => computeSizes[size].label,
  },
  {
    id: 'version',
    head: 'Version',
    wideOnly: true,
    sortBy: ({ dbVersion }) => postgresLabel(dbVersion),
    cell: ({ dbVersion }) => postgresLabel(dbVersion),
  },
  {
    id: 'created',
    head: 'Created',
    numeric: true,
    wideOnly: true,
    sortBy: ({ inserted_at }) => Date.parse(inserted_at),
    cell: ({ inserted_at }) => (
      <span className="faint">
        <Time at={inserted_at} />
      </span>
    ),
  },
]

/** The list as a table; undefined while loading. */
function ProjectTable({ projects }: { projects: readonly ProjectListItem[] | undefined }) {
  return (
    <div className="card">
      <Table
        label="Projects"
        columns={columns}
        rows={projects}
        keyOf={({ ref }) => ref}
        empty={null}
      />
    </div>
  )
}

function ProjectCard({ project }: { project: ProjectListItem }) {
  const { ref, name, region, status } = project
  const { label, tone } = statusView(status)
  return (
    <article className="pc">
      <div className="row">
        <h2 className="ell">
          <Link className="cover" to="/project/$ref" params={{ ref }}>
            {name}
          </Link>
        </h2>
        <span className="grow" />
        <Status tone={tone} small>
          {label}
        </Status>
        <span className="over">
          <FavoriteButton project={project} />
        </span>
      </div>
      <p className="t12 muted">
        {placeOf(region)} <span className="mono faint">{region}</span>
      </p>
      <div className="mid">
        <Middle project={project} />
      </div>
      <div className="row t12 muted meta">
        <span>{computeSizes[project.infra_compute_size].label}</span>
        <span>{postgresLabel(project.dbVersion)}</span>
        <span className="grow" />
        <Time at={project.inserted_at} />
      </div>
    </article>
  )
}

function Middle({ project }: { project: ProjectListItem }) {
  const { ref, status } = project
  if (isMoving(status)) return <Progress label={statusView(status).label} />
  if (status === 'INACTIVE')
    return (
      <>
        <p className="t12 muted">Stopped. Its data is kept.</p>
        <span className="grow" />
        <span className="over">
          <ResumeButton project={project} />
        </span>
      </>
    )
  return (
    <span className="over">
      <CopyButton text={ref} what="project ref">
        {ref}
      </CopyButton>
    </span>
  )
}

/** Brings a paused project back, from a list. */
function ResumeButton({ project }: { project: ProjectListItem }) {
  const { ref, organization_slug: organizationSlug } = project
  const why = useDenials({ organizationSlug, projectRef: ref })
  const restore = useProjectAction('restore')
  return (
    <Button
      busy={restore.isPending}
      disabledReason={why(endpointOf('restore'))}
      onClick={() =>
        restore.mutate(
          { ref },
          {
            onError: (error) =>
              toast.error(`${project.name} was not resumed`, { description: error.message }),
          },
        )
      }
    >
      Resume
    </Button>
  )
}
