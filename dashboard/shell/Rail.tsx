import { Link } from '@tanstack/react-router'
import { Pin, PinOff } from 'lucide-react'
import { useContent } from '../session/organization/mode.ts'
import { setPreference, usePreferences } from '../session/identity/preferences.ts'
import { Icon } from '../ui/Icon.tsx'
import { Logo } from '../ui/text/Logo.tsx'
import { PlaceLink } from './PlaceLink.tsx'
import { usePlaces } from './use-places.ts'

/** The product's pages at the left: 48 px of icons, 220 px with names while pointed at or pinned. */
export function Rail() {
  const places = usePlaces()
  const { app_title: app } = useContent()
  const pinned = usePreferences((p) => p.railPinned)
  return (
    <aside className="railx" aria-label="Rail">
      <div className="railx-inner">
        <Link to="/organizations" className="railx-head" aria-label={`${app}, all organizations`}>
          <Logo />
          <b className="name">{app}</b>
        </Link>
        <nav className="railx-nav" aria-label="Product">
          {places.map((place) => place.last || <PlaceLink key={place.to} place={place} withKeys />)}
          <span className="gap" />
          {places.map((place) => place.last && <PlaceLink key={place.to} place={place} withKeys />)}
          <button
            type="button"
            className="railx-pin"
            aria-pressed={pinned}
            onClick={() => setPreference({ railPinned: !pinned })}
          >
            <Icon of={pinned ? PinOff : Pin} size="l" />
            <span className="name">{pinned ? 'Unpin sidebar' : 'Pin sidebar'}</span>
          </button>
        </nav>
      </div>
    </aside>
  )
}
