import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { useState } from 'react'
import type { UserDetail } from '#contract/auth-users'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { SidePanel } from '../../ui/SidePanel.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { userQuery } from './queries.ts'
import { UserActions } from './UserActions.tsx'
import { UserFacts } from './UserFacts.tsx'
import { UserLogs } from './UserLogs.tsx'
import { UserMetadata } from './UserMetadata.tsx'
import { UserSessions } from './UserSessions.tsx'
import { userName } from './user-words.ts'

type Props = {
  projectRef: string
  id: string | undefined
  /** The users of the list's page, in its order. */
  page: readonly string[]
  onOpen: (id: string) => void
  onClose: () => void
}

/** Everything about one user, and what can be done to them. */
export function UserPanel({ projectRef, id, page, onOpen, onClose }: Props) {
  const query = useQuery({ ...userQuery(projectRef, id ?? ''), enabled: id !== undefined })
  const detail = id === undefined ? undefined : query.data
  return (
    <SidePanel
      open={id !== undefined}
      size="large"
      onClose={onClose}
      title={detail ? userName(detail.user) : 'User'}
      actions={id !== undefined && <Neighbours id={id} page={page} onOpen={onOpen} />}
    >
      {detail ? (
        <Detail key={id} projectRef={projectRef} detail={detail} onClose={onClose} />
      ) : query.error ? (
        <ErrorNote what="user" error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton width="60%" />
      )}
    </SidePanel>
  )
}

/** To the users above and below in the list, without leaving the panel. */
function Neighbours({ id, page, onOpen }: Pick<Props, 'page' | 'onOpen'> & { id: string }) {
  const at = page.indexOf(id)
  const previous = page[at - 1]
  const next = at < 0 ? undefined : page[at + 1]
  return (
    <>
      <IconButton
        icon={ChevronUp}
        label="Previous user"
        disabledReason={previous === undefined && 'This is the first user of the page'}
        onClick={() => previous !== undefined && onOpen(previous)}
      />
      <IconButton
        icon={ChevronDown}
        label="Next user"
        disabledReason={next === undefined && 'This is the last user of the page'}
        onClick={() => next !== undefined && onOpen(next)}
      />
    </>
  )
}

type Tab = 'overview' | 'sessions' | 'logs' | 'json'

function Detail({
  projectRef,
  detail,
  onClose,
}: {
  projectRef: string
  detail: UserDetail
  onClose: () => void
}) {
  const [tab, setTab] = useState<Tab>('overview')
  return (
    <>
      <Tabs<Tab>
        label="About this user"
        tabs={[
          { id: 'overview', label: 'Overview' },
          { id: 'sessions', label: 'Sessions', count: detail.sessions.length },
          { id: 'logs', label: 'Logs' },
          { id: 'json', label: 'Raw JSON' },
        ]}
        value={tab}
        onChange={setTab}
      />
      {tab === 'overview' && (
        <>
          <UserFacts projectRef={projectRef} detail={detail} />
          <UserMetadata key="user" projectRef={projectRef} user={detail.user} which="user" />
          <UserMetadata key="app" projectRef={projectRef} user={detail.user} which="app" />
          <UserActions projectRef={projectRef} detail={detail} onDeleted={onClose} />
        </>
      )}
      {tab === 'sessions' && <UserSessions projectRef={projectRef} detail={detail} />}
      {tab === 'logs' && <UserLogs projectRef={projectRef} id={detail.user.id} />}
      {tab === 'json' && (
        <CodeBlock code={JSON.stringify(detail, null, 2)} language="js" what="JSON" />
      )}
    </>
  )
}
