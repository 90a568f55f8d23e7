import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { useState } from 'react'
import type { UserDetail } from '#contract/auth/auth-users'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { InlinePanel } from '../../../ui/floats/InlinePanel.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Tabs } from '../../../ui/navigation/Tabs.tsx'
import { userQuery } from './queries.ts'
import { UserActions } from './UserActions.tsx'
import { neighboursOf } from './neighbours.ts'
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

/** Everything about one user, and what can be done to them: beside the list, which goes on through the users. */
export function UserPanel({ projectRef, id, page, onOpen, onClose }: Props) {
  const query = useQuery({ ...userQuery(projectRef, id ?? ''), enabled: id !== undefined })
  const detail = id === undefined ? undefined : query.data
  // Who looks through the logs of one user wants those of the next.
  const [tab, setTab] = useState<Tab>('overview')
  return (
    <InlinePanel
      open={id !== undefined}
      size="large"
      onClose={onClose}
      title={detail ? userName(detail.user) : 'User'}
      actions={id !== undefined && <Neighbours id={id} page={page} onOpen={onOpen} />}
    >
      {detail ? (
        <Detail key={id} {...{ projectRef, detail, tab, onClose }} onTab={setTab} />
      ) : query.error ? (
        <ErrorNote what="user" error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton width="60%" />
      )}
    </InlinePanel>
  )
}

/** To the users above and below in the list, without leaving the panel. */
function Neighbours({ id, page, onOpen }: Pick<Props, 'page' | 'onOpen'> & { id: string }) {
  const { previous, next } = neighboursOf(page, id)
  return (
    <>
      <IconButton
        icon={ChevronUp}
        label="Previous user"
        keys="Alt+up"
        disabledReason={previous === undefined && 'This is the first user of the page'}
        onClick={() => previous !== undefined && onOpen(previous)}
      />
      <IconButton
        icon={ChevronDown}
        label="Next user"
        keys="Alt+down"
        disabledReason={next === undefined && 'This is the last user of the page'}
        onClick={() => next !== undefined && onOpen(next)}
      />
    </>
  )
}

type Tab = 'overview' | 'sessions' | 'logs' | 'json'

type DetailProps = {
  projectRef: string
  detail: UserDetail
  tab: Tab
  onTab: (tab: Tab) => void
  onClose: () => void
}

function Detail({ projectRef, detail, tab, onTab, onClose }: DetailProps) {
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
        onChange={onTab}
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
