import {
  useQuery,
  keepPreviousData,
  useInfiniteQuery,
  useSuspenseQuery,
} from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { LayoutGrid, Plus, GitBranch, Building2, Settings2 } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import type { Project } from '#contract/projects/projects'
import type { Organization } from '#contract/organizations/organizations'
import { useSelfHosted } from '../session/organization/mode.ts'
import { organizationsQuery } from '../session/organization/organizations.ts'
import { branchesQuery } from '../session/project/branches.ts'
import { projectQuery } from '../session/project/project.ts'
import { isUp, statusView } from '../session/project/project-status.ts'
import { organizationProjectsQuery } from '../session/project/project-lists.ts'
import { Icon } from '../ui/Icon.tsx'
import { OptionList } from '../ui/lists/OptionList.tsx'
import { StatusDot } from '../ui/text/Status.tsx'
import { Switcher } from '../ui/navigation/Switcher.tsx'
import { useWhere } from '../session/project/where.ts'
import { Badge } from '../ui/text/Badge.tsx'
import { useHasRoute } from '../session/organization/has-route.ts'
import { Avatar } from '../ui/text/Avatar.tsx'

/** Organization, project, branch: each part names where one is and leads to its siblings. */
export function Breadcrumb() {
  const { slug, ref } = useWhere()
  const { data: organizations } = useQuery(organizationsQuery)
  const { data: project } = useQuery({ ...projectQuery(ref ?? ''), enabled: ref !== undefined })
  const selfHosted = useSelfHosted()
  const organization = organizations?.find((o) => o.slug === slug)
  if (selfHosted) {
    return (
      <nav className="crumbs" aria-label="Breadcrumb">
        <span className="crumb-part ell">{(project ?? organization)?.name}</span>
      </nav>
    )
  }
  return (
    <nav className="crumbs" aria-label="Breadcrumb">
      {(organization || !ref) && (
        <span className={ref ? 'crumb-part hide-narrow' : 'crumb-part'}>
          <OrganizationSwitcher organization={organization} />
        </span>
      )}
      {organization && project && (
        <>
          <span className="sep hide-narrow" />
          <OwnProject project={project} />
          <span className="sep hide-narrow" />
          <span className="crumb-part hide-narrow">
            <BranchSwitcher project={project} />
          </span>
        </>
      )}
    </nav>
  )
}

/** The branches of a project, and where new ones are made. */
function BranchSwitcher({ project }: { project: Project }) {
  const isMain = project.parent_project_ref === null
  const { data } = useQuery({ ...branchesQuery(project.ref), enabled: !isMain })
  const own = data?.branches.find(({ project_ref: ref }) => ref === project.ref)
  return (
    <Switcher
      label="Switch branch"
      current={
        <>
          <Icon of={GitBranch} size="s" />
          <span className="ell">{isMain ? 'main' : own?.name}</span>
          {isMain && (
            <span className="hide-narrow">
              <Badge tone="solid">Production</Badge>
            </span>
          )}
        </>
      }
    >
      {(close) => <BranchList project={project} close={close} />}
    </Switcher>
  )
}

function BranchList({ project, close }: { project: Project; close: () => void }) {
  const navigate = useNavigate()
  const { data, isPending } = useQuery(branchesQuery(project.ref))
  const main = { ref: project.parent_project_ref ?? project.ref }
  return (
    <OptionList
      label="Branches"
      search={data && data.branches.length > 8 ? 'Find a branch' : undefined}
      nothing={isPending ? 'Loading branches' : 'No branch has this name'}
      value={project.ref}
      options={(data?.branches ?? []).map((branch) => ({
        value: branch.project_ref,
        label: branch.name,
        before: <Icon of={GitBranch} size="s" />,
        end: isUp(branch.preview_project_status) ? undefined : (
          <span className="t12">{statusView(branch.preview_project_status).label}</span>
        ),
      }))}
      onSelect={(ref) => {
        close()
        void navigate({ to: '/project/$ref', params: { ref } })
      }}
      footer={
        <Link to="/project/$ref/branches" params={main} className="mi" onClick={close}>
          <Icon of={Settings2} size="s" />
          Manage branches
        </Link>
      }
    />
  )
}

/** A branch stands behind the project that it belongs to. */
function OwnProject({ project }: { project: Project }) {
  const parent = project.parent_project_ref
  const { data } = useQuery({ ...projectQuery(parent ?? ''), enabled: parent !== null })
  const shown = parent === null ? project : data
  return shown ? <ProjectSwitcher project={shown} /> : null
}

function ProjectSwitcher({ project }: { project: Project }) {
  return (
    <Switcher label="Switch project" current={<span className="ell">{project.name}</span>}>
      {(close) => <List project={project} close={close} />}
    </Switcher>
  )
}

function List({ project, close }: { project: Project; close: () => void }) {
  const navigate = useNavigate()
  const slug = project.organization_slug
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const { data, isPending } = useInfiniteQuery({
    ...organizationProjectsQuery(slug, search),
    placeholderData: keepPreviousData,
  })
  const projects = data?.pages.flatMap((page) => page.projects) ?? []
  return (
    <OptionList
      label="Projects"
      search="Find a project"
      nothing={isPending ? 'Loading projects' : 'No project has this name'}
      onType={setTyped}
      value={project.ref}
      options={projects.map(({ ref, name, status }) => {
        const { label, tone } = statusView(status)
        return {
          value: ref,
          label: name,
          before: <StatusDot tone={tone === 'working' || tone === 'paused' ? 'off' : tone} />,
          end: isUp(status) ? undefined : <span className="t12">{label}</span>,
        }
      })}
      onSelect={(ref) => {
        close()
        void navigate({ to: '/project/$ref', params: { ref } })
      }}
      footer={
        <>
          <Link to="/new/$slug" params={{ slug }} className="mi" onClick={close}>
            <Icon of={Plus} size="s" />
            New project
          </Link>
          <Link to="/org/$slug" params={{ slug }} className="mi" onClick={close}>
            <Icon of={LayoutGrid} size="s" />
            All projects
          </Link>
        </>
      }
    />
  )
}

/** `organization` is the one of the page; above them all there is none. */
function OrganizationSwitcher({ organization }: { organization: Organization | undefined }) {
  return (
    <Switcher
      label="Switch organization"
      current={
        organization ? (
          <>
            <Avatar name={organization.name} square size={20} />
            <span className="ell">{organization.name}</span>
            <Badge>{organization.plan.name}</Badge>
          </>
        ) : (
          'Organizations'
        )
      }
    >
      {(close) => <OrganizationList current={organization?.slug} close={close} />}
    </Switcher>
  )
}

function OrganizationList({ current, close }: { current: string | undefined; close: () => void }) {
  const navigate = useNavigate()
  const has = useHasRoute()
  const { data: organizations } = useSuspenseQuery(organizationsQuery)
  return (
    <OptionList
      label="Organizations"
      search="Find an organization"
      value={current}
      options={organizations.map(({ slug, name, plan }) => ({
        value: slug,
        label: name,
        before: <Avatar name={name} square size={20} />,
        end: <span className="t12">{plan.name}</span>,
      }))}
      onSelect={(slug) => {
        close()
        void navigate({ to: '/org/$slug', params: { slug } })
      }}
      footer={
        <>
          {has('/new') && (
            <Link to="/new" className="mi" onClick={close}>
              <Icon of={Plus} size="s" />
              New organization
            </Link>
          )}
          <Link to="/organizations" className="mi" onClick={close}>
            <Icon of={Building2} size="s" />
            All organizations
          </Link>
        </>
      }
    />
  )
}
