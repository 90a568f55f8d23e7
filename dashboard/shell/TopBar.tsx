import { Menu as MenuIcon, Search } from 'lucide-react'
import { IconButton } from '../ui/IconButton.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { Breadcrumb } from './Breadcrumb.tsx'
import { HelpMenu } from './HelpMenu.tsx'
import { openCommandMenu } from './open-dialogs.ts'

export function TopBar({ onMenu }: { onMenu: () => void }) {
  return (
    <header className="top">
      <IconButton className="narrow-only" icon={MenuIcon} label="Pages" onClick={onMenu} />
      <Breadcrumb />
      <span className="grow" />
      <IconButton
        icon={Search}
        label="Search and commands"
        keys="mod+k"
        onClick={openCommandMenu}
      />
      <HelpMenu />
      <AccountMenu />
    </header>
  )
}
