import { Menu as MenuIcon, Search, Sparkles } from 'lucide-react'
import { ConnectButton } from '../features/projects/connect/ConnectButton.tsx'
import { NotificationsButton } from '../features/people/notifications/NotificationsButton.tsx'
import { FeedbackButton } from '../features/people/support/FeedbackButton.tsx'
import { IconButton } from '../ui/controls/IconButton.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { Breadcrumb } from './Breadcrumb.tsx'
import { HelpMenu } from './HelpMenu.tsx'
import { openCommandMenu } from './open-dialogs.ts'
import { useWhere } from '../session/project/where.ts'
import { setAssistantOpen, useAssistantPanel } from '../modules/assistant/assistant.ts'
import { usePreferences } from '../session/identity/preferences.ts'

export function TopBar({ onMenu }: { onMenu: () => void }) {
  const { slug, ref } = useWhere()
  return (
    <header className="top">
      <IconButton className="narrow-only" icon={MenuIcon} label="Pages" onClick={onMenu} />
      <Breadcrumb />
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
