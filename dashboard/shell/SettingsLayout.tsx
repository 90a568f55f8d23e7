import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { ArrowUpRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useHasRoute } from '../session/organization/has-route.ts'
import { useSelfHosted } from '../session/organization/mode.ts'
import { Icon } from '../ui/Icon.tsx'
import { SideNav } from '../ui/navigation/SideNav.tsx'

type Entry = {
  name: string
  to: string
  route: string
  /** Another page that belongs to it, beside those below its own address. */
  also?: string
  /** What it is about, said when it is pointed at. */
  about?: string
  /** It is a page of another area. */
  leadsAway?: true
  /** Self-hosted mode does not have it. */
  platformOnly?: true
}
type Group = { title?: string; entries: readonly Entry[] }

type Props = {
  title: string
  groups: readonly Group[]
  /** The page that is open, unless there is something around it. */
  children?: ReactNode
}

/** An area of several pages: its second column, and the page that is open. */
export function SettingsLayout({ title, groups, children = <Outlet /> }: Props) {
  const has = useHasRoute()
  const navigate = useNavigate()
  const selfHosted = useSelfHosted()
  const { pathname } = useLocation()
  // A page below one of them belongs to it, and to the nearest where one lies below another.
  const entries = groups.flatMap((group) => group.entries)
  const [current] = entries
    .filter(({ to, also }) => pathname === to || pathname === also || pathname.startsWith(`${to}/`))
    .sort(
      (a, b) =>
        Number(b.also === pathname) - Number(a.also === pathname) || b.to.length - a.to.length,
    )
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
      link={({ name, to, also, about, leadsAway }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ includeSearch: false, exact: to !== current?.to }}
          aria-current={also === pathname ? 'page' : undefined}
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
      {children}
    </SideNav>
  )
}
