import { Outlet, useMatches, Link } from '@tanstack/react-router'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { usePreferences, setPreference } from '../session/identity/preferences.ts'
import { cx } from '../ui/cx.ts'
import { Hotkeys } from '../ui/Hotkeys.tsx'
import { Later } from '../ui/Later.tsx'
import { PreviewsGate } from '../features/people/feature-previews/PreviewsGate.tsx'
import { AssistantSlot } from './AssistantSlot.tsx'
import { Banners } from './banners/Banners.tsx'
import { Commands } from './Commands.tsx'
import { Part } from './Part.tsx'
import { SessionEnded } from './SessionEnded.tsx'
import { TopBar } from './TopBar.tsx'
import './shell.css'
import { EyeOff, FlaskConical, Pin, PinOff } from 'lucide-react'
import { useShowPreview } from '../features/people/feature-previews/preview-param.ts'
import { usePreviews } from '../session/telemetry/previews.ts'
import { useDisabledFeatures } from '../session/identity/profile.ts'
import { Button } from '../ui/controls/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ApiDocsGate } from '../features/data-api/api-docs/ApiDocsGate.tsx'
import { ConnectGate } from '../features/projects/connect/ConnectGate.tsx'
import { ProjectCommands } from '../features/projects/connect/ProjectCommands.tsx'
import { ProjectActionCommands } from '../features/projects/projects/ProjectActionCommands.tsx'
import { useWhere } from '../session/project/where.ts'
import { useContent } from '../session/organization/mode.ts'
import { Icon } from '../ui/Icon.tsx'
import { Logo } from '../ui/text/Logo.tsx'
import { PlaceLink } from './PlaceLink.tsx'
import { usePlaces } from './use-places.ts'

const Drawer = lazy(() => import('./Drawer.tsx').then((m) => ({ default: m.Drawer })))

/** The frame around every signed-in page: banners, rail, top bar, and the page in the rest. */
export function Shell() {
  const pinned = usePreferences((p) => p.railPinned)
  const [drawer, setDrawer] = useState(false)
  return (
    <div className={cx('app', pinned && 'rail-pinned')}>
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <Part of="the banners">
        <Banners />
      </Part>
      <Part of="the rail">
        <Rail />
      </Part>
      <Part of="the top bar">
        <TopBar onMenu={() => setDrawer(true)} />
      </Part>
      <div className="body">
        <FeatureGate>
          <Outlet />
        </FeatureGate>
      </div>
      <AssistantSlot />
      <Suspense>{drawer && <Drawer onClose={() => setDrawer(false)} />}</Suspense>
      {/* At once: a key pressed as soon as something is seen must not be lost. */}
      <Hotkeys />
      <Part of="the commands">
        <Commands />
      </Part>
      <SessionEnded />
      <Later>
        <Part of="the panels of the project">
          <ProjectSlot />
        </Part>
        <Part of="the feature previews">
          <PreviewsGate />
        </Part>
      </Later>
    </div>
  )
}

/**
 * The page, unless the operator hides it or it belongs to a preview that is switched off: no link leads to it then, and its
 * address says why.
 */
function FeatureGate({ children }: { children: ReactNode }) {
  const isOff = useDisabledFeatures()
  const tries = usePreviews()
  const show = useShowPreview()
  const matches = useMatches()
  if (matches.some(({ staticData: { feature } }) => feature && isOff(feature)))
    return (
      <main className="main not-found">
        <EmptyState icon={EyeOff} title="This page is turned off">
          The operator of this installation has turned it off.
        </EmptyState>
      </main>
    )
  const preview = matches.flatMap(({ staticData }) => staticData.preview ?? [])[0]
  if (preview === undefined || tries(preview)) return children
  return (
    <main className="main not-found">
      <EmptyState
        icon={FlaskConical}
        title="This page is a feature preview"
        action={<Button onClick={() => show.open(preview)}>Feature previews</Button>}
      >
        Turn the preview on to use the page.
      </EmptyState>
    </main>
  )
}

/** The place for what opens over any page of a project: ways to connect, its documentation, its commands. */
function ProjectSlot() {
  const { ref } = useWhere()
  if (!ref) return null
  return (
    <>
      <ConnectGate projectRef={ref} />
      <ProjectCommands projectRef={ref} />
      <ProjectActionCommands projectRef={ref} />
      <ApiDocsGate projectRef={ref} />
    </>
  )
}

/** The product's pages at the left: 48 px of icons, 220 px with names while pointed at or pinned. */
function Rail() {
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
