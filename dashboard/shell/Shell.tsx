import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { usePreferences } from '../session/preferences.ts'
import { cx } from '../ui/cx.ts'
import { Hotkeys } from '../ui/Hotkeys.tsx'
import { Banners } from './Banners.tsx'
import { Commands } from './Commands.tsx'
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
      <Banners />
      <Rail />
      <TopBar onMenu={() => setDrawer(true)} />
      <div className="body">
        <Outlet />
      </div>
      <Suspense>{drawer && <Drawer onClose={() => setDrawer(false)} />}</Suspense>
      <Hotkeys />
      <Commands />
    </div>
  )
}
