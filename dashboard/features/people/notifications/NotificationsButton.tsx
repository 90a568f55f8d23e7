import { useQuery } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Popover } from '../../../ui/floats/Popover.tsx'
import { summaryQuery } from './queries.ts'
import './notifications.css'

const Inbox = lazy(() => import('./Inbox.tsx').then((m) => ({ default: m.Inbox })))

/** The bell of the top bar; a dot tells that something is new. */
export function NotificationsButton() {
  const { data } = useQuery(summaryQuery)
  const [open, setOpen] = useState(false)
  const unread = data?.unread_count ?? 0
  const grave = data?.has_critical ? 'critical' : data?.has_warning ? 'warning' : 'info'
  return (
    <span className="bell" data-unread={unread > 0 ? grave : undefined}>
      <Popover
        label="Notifications"
        align="end"
        open={open}
        onOpenChange={setOpen}
        trigger={
          <IconButton
            icon={Bell}
            label={unread > 0 ? `Notifications, ${unread} new` : 'Notifications'}
          />
        }
      >
        <Suspense>
          <Inbox onClose={() => setOpen(false)} />
        </Suspense>
      </Popover>
    </span>
  )
}
