import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { LayoutGrid, Plus } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import type { Project } from '#contract/projects/projects'
import { isUp, statusView } from '../session/project/project-status.ts'
import { organizationProjectsQuery } from '../session/project/project-lists.ts'
import { Icon } from '../ui/Icon.tsx'
import { OptionList } from '../ui/lists/OptionList.tsx'
import { StatusDot } from '../ui/text/StatusDot.tsx'
import { Switcher } from '../ui/navigation/Switcher.tsx'

export function ProjectSwitcher({ project }: { project: Project }) {
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
