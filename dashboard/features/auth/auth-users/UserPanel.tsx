import { useQuery, useInfiniteQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, ScrollText, LogOut, Pencil } from 'lucide-react'
import { useState } from 'react'
import { type UserDetail, authUsers, type AuthUser } from '#contract/auth/auth-users'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { InlinePanel } from '../../../ui/floats/InlinePanel.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Tabs } from '../../../ui/navigation/Tabs.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { exactTime } from '../../../ui/text/time.ts'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Time } from '../../../ui/text/Time.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Form, SaveCancel } from '../../../ui/controls/Form.tsx'
import { TextArea } from '../../../ui/controls/TextField.tsx'
import { neighboursOf } from './arrangement.ts'
import { userQuery, auditQuery, ofUsers } from './queries.ts'
import { UserActions } from './UserActions.tsx'
import { UserFacts } from './UserFacts.tsx'
import { auditActor, auditWords } from './audit-words.ts'
import { metadataFrom, userName } from './user-words.ts'

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

/** What a user did and what was done to them, as far back as the plan goes. */
function UserLogs({ projectRef, id }: { projectRef: string; id: string }) {
  const query = useInfiniteQuery(auditQuery(projectRef, { user: id }))
  const entries = query.data?.pages.flatMap((page) => page.entries)
  if (query.error && !entries)
    return <ErrorNote what="logs" error={query.error} onRetry={() => void query.refetch()} />
  if (!entries) return <Skeleton width="80%" />
  if (entries.length === 0)
    return (
      <EmptyState icon={ScrollText} title="No entries yet">
        Actions of this user appear here.
      </EmptyState>
    )
  return (
    <>
      <ul className="users-lines">
        {entries.map((entry) => (
          <li key={entry.id}>
            <span className="grow users-session">
              <span>{auditWords(entry)}</span>
              <span className="faint t12">
                {auditActor(entry)}
                {entry.ip_address && `, ${entry.ip_address}`}
              </span>
            </span>
            <span className="faint t12">{exactTime(new Date(entry.created_at))}</span>
          </li>
        ))}
      </ul>
      {query.hasNextPage && (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show older
        </Button>
      )}
    </>
  )
}

/** Where a user is signed in; each session can be ended. */
function UserSessions({ projectRef, detail }: { projectRef: string; detail: UserDetail }) {
  const denied = useDenials(useProject(projectRef))(authUsers.endSession)
  const end = useCall(authUsers.endSession, {
    changes: ofUsers,
    onSuccess: () => {
      toast.success('Session ended')
    },
    onError: ({ message }) => void toast.error(message),
  })
  const { sessions, user } = detail
  if (sessions.length === 0)
    return (
      <EmptyState icon={LogOut} title="No sessions">
        This user has no active sessions.
      </EmptyState>
    )
  return (
    <ul className="users-lines users-sessions">
      {sessions.map((session) => {
        const used = session.refreshed_at ?? session.created_at
        return (
          <li key={session.id}>
            <span className="grow users-session">
              <span>{session.user_agent || 'Unknown program'}</span>
              <span className="faint t12">
                {session.ip ?? 'Unknown address'}, {session.aal ?? 'aal1'}, last used{' '}
                {used ? <Time at={used} /> : 'at an unknown time'}
              </span>
            </span>
            <Button
              disabledReason={denied}
              busy={end.isPending && end.variables.session === session.id}
              onClick={() => end.mutate({ ref: projectRef, id: user.id, session: session.id })}
            >
              End session
            </Button>
          </li>
        )
      })}
    </ul>
  )
}

type UserMetadataProps = { projectRef: string; user: AuthUser; which: 'user' | 'app' }

const words = {
  user: {
    title: 'User metadata',
    help: 'Users can change it themselves: never use it for authorization.',
  },
  app: { title: 'App metadata', help: 'Only the service key and this page change it.' },
}

/** One of the two JSON objects of a user, to read and to write. */
function UserMetadata({ projectRef, user, which }: UserMetadataProps) {
  const kept = which === 'user' ? user.raw_user_meta_data : user.raw_app_meta_data
  const text = JSON.stringify(kept, null, 2)
  const [draft, setDraft] = useState<string>()
  const denied = useDenials(useProject(projectRef))(authUsers.update)
  const { title, help } = words[which]
  const save = useCall(authUsers.update, {
    changes: ofUsers,
    onSuccess: () => {
      setDraft(undefined)
      toast.success(`${title} saved`)
    },
  })
  const value = draft === undefined ? undefined : metadataFrom(draft)
  return (
    <section className="panel-part">
      <h3 className="users-head">
        {title}
        {draft === undefined && (
          <IconButton
            icon={Pencil}
            iconSize="s"
            label={`Edit ${title.toLowerCase()}`}
            disabledReason={denied}
            onClick={() => setDraft(text)}
          />
        )}
      </h3>
      {draft === undefined ? (
        <CodeBlock code={text} language="js" what={title.toLowerCase()} />
      ) : (
        <Form
          className="form-stack"
          error={save.error?.message}
          pending={save.isPending}
          onSubmit={() =>
            value &&
            save.mutate({
              ref: projectRef,
              id: user.id,
              ...(which === 'user' ? { user_metadata: value } : { app_metadata: value }),
            })
          }
        >
          <TextArea
            label={title}
            mono
            rows={Math.min(16, Math.max(4, draft.split('\n').length))}
            spellCheck={false}
            help={help}
            error={value ? undefined : 'Metadata is a JSON object'}
            value={draft}
            onChange={({ target }) => setDraft(target.value)}
          />
          <div className="row-acts">
            <SaveCancel
              dirty={draft !== text}
              pending={save.isPending}
              reason={!value && 'Metadata is a JSON object'}
              onCancel={() => setDraft(undefined)}
            />
          </div>
        </Form>
      )}
    </section>
  )
}
