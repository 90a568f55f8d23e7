import { Outlet, useMatches, Link, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import {
  Activity,
  EyeOff,
  FlaskConical,
  Pin,
  PinOff,
  Menu as MenuIcon,
  Search,
  Sparkles,
  KeyRound,
  LogOut,
  Settings2,
  ShieldCheck,
  UserRound,
} from 'lucide-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { ProjectActionCommands } from '../features/projects/projects/project-actions.tsx'
import { usePreferences, setPreference } from '../session/identity/preferences.ts'
import { cx } from '../ui/cx.ts'
import { Hotkeys } from '../ui/Hotkeys.tsx'
import { Later } from '../ui/Later.tsx'
import { PreviewsGate } from '../features/people/feature-previews/PreviewsGate.tsx'
import { forgetEndedSession, useEndedSession } from '../session/identity/ended-session.ts'
import { returnToOf } from '../session/identity/return-to.ts'
import { Button, buttonClass } from '../ui/controls/Button.tsx'
import { Dialog } from '../ui/floats/Dialog.tsx'
import { useShowPreview, firstPreview } from '../features/people/feature-previews/preview-param.ts'
import { usePreviews } from '../session/telemetry/previews.ts'
import { useDisabledFeatures, profileQuery } from '../session/identity/profile.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ApiDocsGate } from '../features/data-api/api-docs/ApiDocsGate.tsx'
import {
  ConnectGate,
  ConnectButton,
  ProjectCommands,
} from '../features/projects/connect/ConnectGate.tsx'
import { useWhere } from '../session/project/where.ts'
import { useContent } from '../session/organization/mode.ts'
import { Icon } from '../ui/Icon.tsx'
import { Logo } from '../ui/text/Logo.tsx'
import { NotificationsButton } from '../features/people/notifications/NotificationsButton.tsx'
import { FeedbackButton } from '../features/people/support/FeedbackButton.tsx'
import { IconButton } from '../ui/controls/IconButton.tsx'
import { setAssistantOpen, useAssistantPanel } from '../modules/assistant/assistant.ts'
import { openPrivacySettings } from '../session/telemetry/consent.ts'
import { themeChoices, useTheme } from '../session/identity/theme.ts'
import { Avatar } from '../ui/text/Avatar.tsx'
import { Menu } from '../ui/floats/Menu.tsx'
import { MenuItem, MenuChoice, MenuLabel, MenuSeparator } from '../ui/floats/MenuItem.tsx'
import { AssistantSlot, Part } from './AssistantSlot.tsx'
import { Banners } from './banners/Banners.tsx'
import { Commands } from './Commands.tsx'
import { Breadcrumb } from './Breadcrumb.tsx'
import { LimitsBadge } from './LimitsBadge.tsx'
import { HelpMenu } from './HelpMenu.tsx'
import { openCommandMenu } from './open-dialogs.ts'
import { PlaceLink } from './PlaceLink.tsx'
import { usePlaces } from './use-places.ts'
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

/** Over the page that stands there: nobody loses what they have typed because a session has ended. */
function SessionEnded() {
  const isEnded = useEndedSession(({ of }) => of !== undefined)
  const { pathname, searchStr } = useLocation()
  const returnTo = returnToOf(pathname + searchStr)
  const close = () => useEndedSession.setState({ of: undefined })
  const query = returnTo ? `?${new URLSearchParams({ returnTo }).toString()}` : ''
  return (
    <Dialog
      open={isEnded}
      onClose={close}
      title="Your session has ended"
      size="small"
      footer={
        <>
          <Button size="form" onClick={close}>
            Not now
          </Button>
          <a
            className={buttonClass({ size: 'form', variant: 'primary' })}
            href={`/sign-in${query}`}
            target="_blank"
            rel="opener"
            // The tab asks for a password only where no session is stored.
            onClick={forgetEndedSession}
          >
            Sign in
          </a>
        </>
      }
    >
      <p>
        Sign in again in a new tab. This page stays as it is, and continues as soon as you are
        signed in.
      </p>
    </Dialog>
  )
}

function TopBar({ onMenu }: { onMenu: () => void }) {
  const { slug, ref } = useWhere()
  return (
    <header className="top">
      <IconButton className="narrow-only" icon={MenuIcon} label="Pages" onClick={onMenu} />
      <Breadcrumb />
      {slug && <LimitsBadge slug={slug} />}
      <span className="grow" />
      {ref && <ConnectButton />}
      <IconButton
        icon={Search}
        label="Search and commands"
        keys="mod+k"
        onClick={openCommandMenu}
      />
      <FeedbackButton slug={slug} projectRef={ref} />
      <AssistantButton />
      <HelpMenu />
      <NotificationsButton />
      <AccountMenu />
    </header>
  )
}

/** Opens and closes the assistant of the project one is in; there is none elsewhere. */
function AssistantButton() {
  const { ref } = useWhere()
  const open = useAssistantPanel((panel) => (ref ? panel.open[ref] : undefined)) ?? false
  const hotkey = usePreferences((p) => p.assistantHotkey)
  if (!ref) return null
  return (
    <IconButton
      icon={Sparkles}
      label="Assistant"
      keys={hotkey ? 'mod+i' : undefined}
      aria-pressed={open}
      onClick={() => void setAssistantOpen(ref, !open)}
    />
  )
}

function AccountMenu() {
  const { data: profile } = useSuspenseQuery(profileQuery)
  const [theme, setTheme] = useTheme()
  const previews = useShowPreview()
  const name = [profile.first_name, profile.last_name].filter(Boolean).join(' ') || profile.username
  return (
    <Menu
      label="Account"
      align="end"
      trigger={
        <button type="button" className="account" aria-label={`Account of ${name}`}>
          <Avatar name={name} />
        </button>
      }
    >
      <MenuLabel>
        <span className="account-name">{name}</span>
        {profile.primary_email !== name && (
          <span className="account-mail">{profile.primary_email}</span>
        )}
      </MenuLabel>
      <MenuSeparator />
      <MenuItem icon={UserRound} as={(props) => <Link to="/account/me" {...props} />}>
        Profile
      </MenuItem>
      <MenuItem icon={Settings2} as={(props) => <Link to="/account/preferences" {...props} />}>
        Preferences
      </MenuItem>
      <MenuItem icon={KeyRound} as={(props) => <Link to="/account/tokens" {...props} />}>
        Access tokens
      </MenuItem>
      {profile.is_operator && (
        <MenuItem icon={Activity} as={(props) => <Link to="/operator/health" {...props} />}>
          Installation
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuLabel>Theme</MenuLabel>
      <MenuChoice label="Theme" options={themeChoices} value={theme} onChange={setTheme} />
      <MenuSeparator />
      <MenuItem icon={FlaskConical} onSelect={() => previews.open(firstPreview)}>
        Feature previews
      </MenuItem>
      <MenuItem icon={ShieldCheck} onSelect={openPrivacySettings}>
        Privacy settings
      </MenuItem>
      <MenuItem icon={LogOut} as={(props) => <Link to="/logout" {...props} />}>
        Sign out
      </MenuItem>
    </Menu>
  )
}
