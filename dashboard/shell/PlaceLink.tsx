import { Link } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { panelPreview, useApiDocsPanel } from '../features/data-api/api-docs/panel-param.ts'
import { usePreview } from '../session/telemetry/previews.ts'
import { Icon } from '../ui/Icon.tsx'
import { Keys } from '../ui/text/Keys.tsx'
import type { Place } from './places.ts'

type Props = { place: Place; onClick?: () => void; withKeys?: boolean }

/** One entry of the rail or the drawer. */
export function PlaceLink({ place, onClick, withKeys }: Props) {
  const panel = useApiDocsPanel()
  const beside = usePreview(panelPreview) && place.route === '/project/$ref/api'

  function click(event: MouseEvent) {
    onClick?.()
    // With a key held the page itself is wanted, in a tab or window of its own.
    if (!beside || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    panel.open()
  }
  return (
    <Link
      to={place.to}
      activeOptions={{ exact: place.exact ?? false, includeSearch: false }}
      onClick={click}
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
