import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { usePreferences } from '../session/identity/preferences.ts'
import { cx } from '../ui/cx.ts'
import { Hotkeys } from '../ui/Hotkeys.tsx'
import { Later } from '../ui/Later.tsx'
import { PreviewsGate } from '../features/people/feature-previews/PreviewsGate.tsx'
import { AssistantSlot } from './AssistantSlot.tsx'
import { Banners } from './banners/Banners.tsx'
import { FeatureGate } from './FeatureGate.tsx'
import { Commands } from './Commands.tsx'
import { Part } from './Part.tsx'
import { ProjectSlot } from './ProjectSlot.tsx'
import { SessionEnded } from './SessionEnded.tsx'
import { Rail } from './Rail.tsx'
import { TopBar } from './TopBar.tsx'
import './shell.css'

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
