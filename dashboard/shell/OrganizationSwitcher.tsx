import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Building2, Plus } from 'lucide-react'
import type { Organization } from '#contract/organizations/organizations'
import { useHasRoute } from '../session/organization/has-route.ts'
import { organizationsQuery } from '../session/organization/organizations.ts'
import { Avatar } from '../ui/text/Avatar.tsx'
import { Badge } from '../ui/text/Badge.tsx'
import { Icon } from '../ui/Icon.tsx'
import { OptionList } from '../ui/lists/OptionList.tsx'
import { Switcher } from '../ui/navigation/Switcher.tsx'

/** `organization` is the one of the page; above them all there is none. */
export function OrganizationSwitcher({ organization }: { organization: Organization | undefined }) {
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
      {(close) => <List current={organization?.slug} close={close} />}
    </Switcher>
  )
}

function List({ current, close }: { current: string | undefined; close: () => void }) {
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
