import { Link } from '@tanstack/react-router'
import { Archive, ArchiveRestore, CircleAlert, Info, TriangleAlert } from 'lucide-react'
import type { Notification } from '#contract/people/notifications'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Time } from '../../../ui/text/Time.tsx'

type Props = {
  notification: Notification
  onMark: (id: string, status: Notification['status']) => void
  /** A link of it was followed. */
  onLeave: () => void
}

const icons = { Critical: CircleAlert, Warning: TriangleAlert, Info }

export function NotificationRow({ notification, onMark, onLeave }: Props) {
  const { id, priority, status, data, inserted_at } = notification
  const archived = status === 'archived'
  return (
    <li className="notification" data-priority={priority} data-new={status === 'new' || undefined}>
      <Icon of={icons[priority]} />
      <div>
        <p className="notification-title">
          {data.title} <Time at={inserted_at} />
        </p>
        <p>{data.message}</p>
        {data.actions.length > 0 && (
          <p className="notification-actions">
            {data.actions.map(({ label, url }) => (
              <Link
                key={url}
                className="link"
                to={url}
                onClick={() => {
                  if (status === 'new') onMark(id, 'seen')
                  onLeave()
                }}
              >
                {label}
              </Link>
            ))}
          </p>
        )}
      </div>
      <IconButton
        icon={archived ? ArchiveRestore : Archive}
        label={archived ? `Back to the inbox: ${data.title}` : `Archive: ${data.title}`}
        onClick={() => onMark(id, archived ? 'seen' : 'archived')}
      />
    </li>
  )
}
