import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Archive, BellOff, ArchiveRestore, CircleAlert, Info, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import { notifications as api } from '#contract/people/notifications'
import { notificationPriorities, type Notification } from '#contract/people/notifications'
import { useCall } from '../../../api/client.ts'
import { organizationsQuery } from '../../../session/organization/organizations.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Tabs } from '../../../ui/navigation/Tabs.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { ofNotifications, notificationsQuery, summaryQuery, type Box } from './queries.ts'

const all = '-'
const priorities = [
  { value: all, label: 'Any priority' },
  ...notificationPriorities.map((value) => ({ value, label: value })),
]

/** The panel below the bell: what is new, and what was put away. */
export function Inbox({ onClose }: { onClose: () => void }) {
  const [box, setBox] = useState<Box>('inbox')
  const [priority, setPriority] = useState<string>(all)
  const [organization, setOrganization] = useState<string>(all)
  const { data: summary } = useQuery(summaryQuery)
  const { data: organizations = [] } = useQuery(organizationsQuery)
  const list = useInfiniteQuery(
    notificationsQuery({
      box,
      ...(priority === all ? {} : { priority: priority as Notification['priority'] }),
      ...(organization === all ? {} : { organization }),
    }),
  )
  const said = {
    changes: ofNotifications,
    onError: (error: Error) => toast.error(error.message),
  }
  const update = useCall(api.update, said)
  const archiveAll = useCall(api.archiveAll, said)
  const remove = useCall(api.remove, said)
  const notifications = list.data?.pages.flatMap((page) => page.notifications)
  const narrowed = priority !== all || organization !== all
  const mark = (id: string, status: Notification['status']) => update.mutate({ ids: [id], status })

  return (
    <section className="inbox" aria-label="Notifications">
      <header>
        <Tabs
          label="Box"
          tabs={[
            {
              id: 'inbox',
              label: 'Inbox',
              ...(summary?.unread_count ? { count: summary.unread_count } : {}),
            },
            { id: 'archived', label: 'Archived' },
          ]}
          value={box}
          onChange={setBox}
        />
        <span className="grow" />
        {box === 'inbox' ? (
          <IconButton
            icon={Archive}
            label="Archive all"
            busy={archiveAll.isPending}
            disabledReason={notifications?.length === 0 && 'There is nothing to archive'}
            onClick={() => archiveAll.mutate({})}
          />
        ) : (
          <Button
            busy={remove.isPending}
            disabledReason={notifications?.length === 0 && 'There is nothing to delete'}
            onClick={() => remove.mutate({})}
          >
            Delete all
          </Button>
        )}
      </header>
      <div className="inbox-filters">
        <Select
          size="tool"
          label="Priority"
          options={priorities}
          value={priority}
          onChange={setPriority}
        />
        <Select
          size="tool"
          label="Organization"
          options={[
            { value: all, label: 'Any organization' },
            ...organizations.map(({ slug, name }) => ({ value: slug, label: name })),
          ]}
          value={organization}
          onChange={setOrganization}
        />
      </div>
      {list.error ? (
        <ErrorNote what="notifications" error={list.error} onRetry={() => void list.refetch()} />
      ) : !notifications ? (
        <div className="inbox-wait">
          <Skeleton width="60%" />
          <Skeleton width="90%" />
          <Skeleton width="75%" />
        </div>
      ) : notifications.length === 0 ? (
        <EmptyState icon={BellOff} title={box === 'inbox' ? 'Nothing new' : 'Nothing archived'}>
          {narrowed
            ? 'No notifications match these filters.'
            : box === 'inbox'
              ? 'Messages about your projects and organizations appear here.'
              : 'Notifications that you archive stay here until you delete them.'}
        </EmptyState>
      ) : (
        <ul className="scroll">
          {notifications.map((one) => (
            <NotificationRow key={one.id} notification={one} onMark={mark} onLeave={onClose} />
          ))}
          {list.hasNextPage && (
            <li className="inbox-more">
              <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                Show more
              </Button>
            </li>
          )}
        </ul>
      )}
    </section>
  )
}

type Props = {
  notification: Notification
  onMark: (id: string, status: Notification['status']) => void
  /** A link of it was followed. */
  onLeave: () => void
}

const icons = { Critical: CircleAlert, Warning: TriangleAlert, Info }

function NotificationRow({ notification, onMark, onLeave }: Props) {
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
