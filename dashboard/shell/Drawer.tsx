import { Link } from '@tanstack/react-router'
import { Building2, X } from 'lucide-react'
import * as Radix from 'radix-ui/dialog'
import { useContent } from '../session/organization/mode.ts'
import { useFocusBack } from '../ui/floats/focus.ts'
import { Icon } from '../ui/Icon.tsx'
import { IconButton } from '../ui/controls/IconButton.tsx'
import { Logo } from '../ui/text/Logo.tsx'
import { PlaceLink } from './PlaceLink.tsx'
import { usePlaces } from './use-places.ts'

/** The rail of a narrow window. */
export function Drawer({ onClose }: { onClose: () => void }) {
  const places = usePlaces()
  const back = useFocusBack()
  const { app_title: app } = useContent()
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content
          className="drawer"
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={back}
        >
          <Radix.Title className="sr">Pages</Radix.Title>
          <div className="railx-head">
            <Logo />
            <b className="grow">{app}</b>
            <IconButton icon={X} label="Close" onClick={onClose} />
          </div>
          <nav className="railx-nav" aria-label="Product">
            {places.map((place) => (
              <PlaceLink key={place.to} place={place} onClick={onClose} />
            ))}
            <span className="gap" />
            <Link
              to="/organizations"
              onClick={onClose}
              activeOptions={{ exact: true }}
              className="all"
            >
              <Icon of={Building2} size="l" />
              All organizations
            </Link>
          </nav>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
