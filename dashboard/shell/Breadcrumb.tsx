import {
  useQuery,
  keepPreviousData,
  useInfiniteQuery,
  useSuspenseQuery,
} from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { LayoutGrid, Plus, GitBranch, Building2 } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import type { Project } from '#contract/projects/projects'
import type { Organization } from '#contract/organizations/organizations'
import { useSelfHosted } from '../session/organization/mode.ts'
import { organizationsQuery } from '../session/organization/organizations.ts'
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
          <ProjectSwitcher project={project} />
          <span className="sep hide-narrow" />
          <span className="crumb-part hide-narrow">
            <BranchSwitcher />
          </span>
        </>
      )}
    </nav>
  )
}

/** Every project has its main branch; that is all there is so far. */
function BranchSwitcher() {
  return (
    <Switcher
      label="Switch branch"
      current={
        <>
          <Icon of={GitBranch} size="s" />
          main
          <span className="hide-narrow">
            <Badge tone="solid">Production</Badge>
          </span>
        </>
      }
    >
      {(close) => (
        <OptionList
          label="Branches"
          value="main"
          options={[{ value: 'main', label: 'main', before: <Icon of={GitBranch} size="s" /> }]}
          onSelect={close}
        />
      )}
    </Switcher>
  )
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
