import { Building2, House, LayoutGrid, Settings, SquareTerminal, Table2 } from 'lucide-react'
import type { IconType } from '../ui/Icon.tsx'

/** One entry of the rail, the drawer and the command menu. */
export type Place = {
  name: string
  icon: IconType
  /** The address with its values in. */
  to: string
  /** The route, to leave out what this build has no page for. */
  route: string
  /** Only this address, not what lies below it. */
  exact?: boolean
  keys?: string
  /** At the foot of the rail. */
  last?: boolean
}

export type Where = { slug?: string | undefined; ref?: string | undefined }

/** What the rail offers where one is: in a project, in an organization, or above both. */
export function placesAt({ slug, ref }: Where): Place[] {
  if (ref) return projectPlaces(ref)
  const organizations = {
    name: 'Organizations',
    icon: Building2,
    to: '/organizations',
    route: '/organizations',
    exact: true,
  }
  if (!slug) return [{ ...organizations, keys: 'g o' }]
  return [
    {
      name: 'Projects',
      icon: LayoutGrid,
      to: `/org/${slug}`,
      route: '/org/$slug',
      exact: true,
      keys: 'g h',
    },
  ]
}

function projectPlaces(ref: string): Place[] {
  const base = `/project/${ref}`
  return [
    { name: 'Home', icon: House, to: base, route: '/project/$ref', exact: true, keys: 'g h' },
    {
      name: 'Table editor',
      icon: Table2,
      to: `${base}/editor`,
      route: '/project/$ref/editor',
      keys: 'g t',
    },
    {
      name: 'SQL editor',
      icon: SquareTerminal,
      to: `${base}/sql`,
      route: '/project/$ref/sql',
      keys: 'g s',
    },
    {
      name: 'Project settings',
      icon: Settings,
      to: `${base}/settings/general`,
      route: '/project/$ref/settings/general',
      keys: 'g ,',
      last: true,
    },
  ]
}
