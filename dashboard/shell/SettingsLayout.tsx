import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { ArrowUpRight } from 'lucide-react'
import { useHasRoute } from '../session/organization/has-route.ts'
import { useSelfHosted } from '../session/organization/mode.ts'
import { Icon } from '../ui/Icon.tsx'
import { SideNav } from '../ui/navigation/SideNav.tsx'

type Entry = {
  name: string
  to: string
  route: string
  /** What it is about, said when it is pointed at. */
  about?: string
  /** It is a page of another area. */
  leadsAway?: true
  /** Self-hosted mode does not have it. */
  platformOnly?: true
}
type Group = { title?: string; entries: readonly Entry[] }

/** An area of several pages: its second column, and the page that is open. */
export function SettingsLayout({ title, groups }: { title: string; groups: readonly Group[] }) {
  const has = useHasRoute()
  const navigate = useNavigate()
  const selfHosted = useSelfHosted()
  const { pathname } = useLocation()
  // A page below one of them belongs to it, and to the nearest where one lies below another.
  const entries = groups.flatMap((group) => group.entries)
  const [current] = entries
    .filter(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
    .sort((a, b) => b.to.length - a.to.length)
  return (
    <SideNav<Entry>
      title={title}
      groups={groups
        .map((group) => ({
          ...group,
          entries: group.entries.filter(
            ({ route, platformOnly }) => has(route) && !(selfHosted && platformOnly),
          ),
        }))
        .filter(({ entries }) => entries.length > 0)}
      current={current?.to ?? pathname}
      link={({ name, to, about, leadsAway }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ includeSearch: false, exact: to !== current?.to }}
          data-tip={about}
          data-tip-side="right"
        >
          {name}
          {leadsAway && (
            <span className="end">
              <Icon of={ArrowUpRight} size="s" />
            </span>
          )}
        </Link>
      )}
      onChoose={(to) => void navigate({ to })}
    >
      <Outlet />
    </SideNav>
  )
}
