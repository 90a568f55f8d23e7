import { Link } from '@tanstack/react-router'
import { Icon } from '../ui/Icon.tsx'
import { Keys } from '../ui/Keys.tsx'
import type { Place } from './places.ts'

type Props = { place: Place; onClick?: () => void; withKeys?: boolean }

/** One entry of the rail or the drawer. */
export function PlaceLink({ place, onClick, withKeys }: Props) {
  return (
    <Link
      to={place.to}
      activeOptions={{ exact: place.exact ?? false, includeSearch: false }}
      onClick={onClick}
    >
      <Icon of={place.icon} size="l" />
      <span className="name">{place.name}</span>
      {withKeys && place.keys && (
        <span className="end">
          <Keys of={place.keys} />
        </span>
      )}
    </Link>
  )
}
