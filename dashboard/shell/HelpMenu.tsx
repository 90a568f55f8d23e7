import { Link } from '@tanstack/react-router'
import {
  Blocks,
  BookOpen,
  Braces,
  CircleQuestionMark,
  Database,
  Inbox,
  Keyboard,
  LifeBuoy,
} from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { platform as api } from '#contract/operations/platform'
import { q } from '../api/client.ts'
import { IconButton } from '../ui/controls/IconButton.tsx'
import type { IconType } from '../ui/Icon.tsx'
import { Menu } from '../ui/floats/Menu.tsx'
import { MenuItem, MenuSeparator } from '../ui/floats/MenuItem.tsx'
import { openShortcuts } from './open-dialogs.ts'

/** The documents are served by the platform itself. */
const manuals = [
  { name: 'Documentation', icon: BookOpen, href: '/docs/' },
  { name: 'Client libraries', icon: Blocks, href: '/docs/client-libraries' },
  { name: 'Management API', icon: Braces, href: '/docs/api' },
  {
    name: 'Postgres 17 manual',
    icon: Database,
    href: 'https://www.postgresql.org/docs/17/index.html',
  },
]

export function HelpMenu() {
  const { data: platform } = useQuery(q(api.status, {}))
  return (
    <Menu label="Help" align="end" trigger={<IconButton icon={CircleQuestionMark} label="Help" />}>
      <MenuItem icon={Keyboard} keys="?" onSelect={openShortcuts}>
        Keyboard shortcuts
      </MenuItem>
      <MenuItem icon={LifeBuoy} as={(props) => <Link to="/support/new" {...props} />}>
        Ask for help
      </MenuItem>
      <MenuSeparator />
      {manuals.map((manual) => (
        <Elsewhere key={manual.href} {...manual} />
      ))}
      {platform?.mailbox && <Elsewhere name="Local mailbox" icon={Inbox} href="/mailbox" />}
    </Menu>
  )
}

/** A page that is not one of the dashboard's: opens beside it. */
function Elsewhere({ name, icon, href }: { name: string; icon: IconType; href: string }) {
  return (
    <MenuItem
      icon={icon}
      as={(props) => (
        <a href={href} target="_blank" rel="noreferrer" {...props}>
          {props.children}
        </a>
      )}
    >
      {name}
    </MenuItem>
  )
}
