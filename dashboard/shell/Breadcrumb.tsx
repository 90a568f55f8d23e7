import { useQuery } from '@tanstack/react-query'
import { useSelfHosted } from '../session/organization/mode.ts'
import { organizationsQuery } from '../session/organization/organizations.ts'
import { projectQuery } from '../session/project/project.ts'
import { OrganizationSwitcher } from './OrganizationSwitcher.tsx'
import { ProjectSwitcher } from './ProjectSwitcher.tsx'
import { useWhere } from '../session/project/where.ts'
import { GitBranch } from 'lucide-react'
import { Badge } from '../ui/text/Badge.tsx'
import { Icon } from '../ui/Icon.tsx'
import { OptionList } from '../ui/lists/OptionList.tsx'
import { Switcher } from '../ui/navigation/Switcher.tsx'

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
