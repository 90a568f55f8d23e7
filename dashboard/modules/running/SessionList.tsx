import { useQuery } from '@tanstack/react-query'
import { Activity, CornerDownRight, CircleStop, Unplug } from 'lucide-react'
import { useState } from 'react'
import { type Session, activity } from '#contract/database/activity'
import { Button } from '../../ui/controls/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Table, type Column } from '../../ui/lists/Table.tsx'
import { Badge, type Tone } from '../../ui/text/Badge.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { CodeBlock } from '../../ui/text/CodeBlock.tsx'
import { ConfirmDialog } from '../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../ui/floats/toast.ts'
import { useDatabaseCall } from '../../session/project/database.ts'
import { IconButton } from '../../ui/controls/IconButton.tsx'
import { useDenials } from '../../session/organization/permissions.ts'
import { useProject } from '../../session/project/project.ts'
import { lasting, type Node, blockingTree, isBusy, narrowed } from './blocking.ts'
import { sessionsQuery } from './sessions.ts'
import './running.css'

type Props = {
  projectRef: string
  words: string
  /** Also those that do nothing. */
  idleToo: boolean
  /** Leaves out what a narrow panel has no room for. */
  short?: boolean
  onShowAll: () => void
}

/** What runs in the database now, who waits for whom, and the way to stop it. It keeps itself up to date. */
export function SessionList({ projectRef, words, idleToo, short = false, onShowAll }: Props) {
  const query = useQuery(sessionsQuery(projectRef))
  const [asked, setAsked] = useState<{ session: Session; deed: Deed }>()
  const all = query.data?.sessions
  const needle = words.toLowerCase()
  const keep = (session: Session) =>
    (idleToo || isBusy(session)) &&
    `${session.pid} ${session.role} ${session.application} ${session.query ?? ''}`
      .toLowerCase()
      .includes(needle)
  const nodes = all && blockingTree(narrowed(all, keep))
  return (
    <>
      <div className="card">
        <Table
          key={`${words} ${idleToo}`}
          label="Sessions"
          rowHeight={60}
          columns={sessionColumns({
            projectRef,
            now: query.data?.now ?? '',
            short,
            onEnd: (session, deed) => setAsked({ session, deed }),
          })}
          rows={nodes}
          keyOf={({ session: { pid, started } }) => `${pid} ${started ?? ''}`}
          error={query.error}
          onRetry={() => void query.refetch()}
          empty={
            <EmptyState
              icon={Activity}
              title={all?.length ? 'No matching queries' : 'No one is connected'}
              action={
                all?.length ? (
                  <Button onClick={onShowAll}>Show all sessions</Button>
                ) : (
                  <Button onClick={() => void query.refetch()}>Check again</Button>
                )
              }
            >
              {all?.length
                ? `${all.length} ${all.length === 1 ? 'session is' : 'sessions are'} connected.`
                : 'Queries appear here while they run.'}
            </EmptyState>
          }
        />
      </div>
      {asked && (
        <EndDialog
          projectRef={projectRef}
          session={asked.session}
          deed={asked.deed}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

type Options = {
  projectRef: string
  now: string
  short: boolean
  onEnd: (session: Session, deed: Deed) => void
}

const kinds: Record<Session['kind'], string> = {
  platform: 'Service of the platform',
  dashboard: 'This dashboard',
  api: 'Data API',
  other: '',
}

function stateOf({ state, blocked_by }: Session): { word: string; tone: Tone } {
  if (blocked_by.length > 0) return { word: 'Waits', tone: 'warning' }
  if (state === 'active') return { word: 'Active', tone: 'success' }
  if (state === null) return { word: 'Not shown', tone: 'neutral' }
  const open = state.startsWith('idle in transaction')
  return { word: open ? 'Open transaction' : 'Idle', tone: open ? 'info' : 'neutral' }
}

const details = ({ wait, blocked_by }: Session) =>
  blocked_by.length > 0 ? `for ${blocked_by.join(', ')}` : wait

function sessionColumns({ projectRef, now, short, onEnd }: Options): Column<Node>[] {
  const wide: Column<Node>[] = [
    {
      id: 'who',
      head: 'Who',
      width: '190px',
      wideOnly: true,
      sortBy: ({ session }) => session.role,
      cell: ({ session: { role, application, kind } }) => (
        <span className="two-lines">
          <span className="mono ell">{role}</span>
          <span className="ell muted t12" title={application}>
            {kinds[kind] || application || 'Unnamed program'}
          </span>
        </span>
      ),
    },
    {
      id: 'since',
      head: 'Runs for',
      width: '110px',
      wideOnly: true,
      sortBy: ({ session }) => session.query_started,
      cell: ({ session }) => (
        <span className="two-lines">
          <span>{session.state === 'active' && lasting(session.query_started, now)}</span>
          {session.transaction_started && (
            <span className="muted t12" title="Since its transaction began">
              tx {lasting(session.transaction_started, now)}
            </span>
          )}
        </span>
      ),
    },
  ]
  return [
    {
      id: 'pid',
      head: 'PID',
      width: '96px',
      sortBy: ({ session }) => session.pid,
      cell: ({ session, depth }) => (
        <span className="session-pid mono" style={{ '--depth': depth }}>
          {depth > 0 && <Icon of={CornerDownRight} size="xs" />}
          {session.pid}
        </span>
      ),
    },
    ...(short ? [] : wide),
    {
      id: 'state',
      head: 'State',
      width: '150px',
      wideOnly: short ? false : true,
      sortBy: ({ session }) => stateOf(session).word,
      cell: ({ session }) => {
        const { word, tone } = stateOf(session)
        const more = details(session)
        return (
          <span className="two-lines session-state">
            <span>
              <Badge tone={tone}>{word}</Badge>
            </span>
            {more && (
              <span className="ell muted t12" title={more}>
                {more}
              </span>
            )}
          </span>
        )
      },
    },
    {
      id: 'query',
      head: 'Query',
      cell: ({ session: { query } }) =>
        query === null ? (
          <span className="faint">Not shown to Read-only members</span>
        ) : (
          <span className="mono session-query" title={query.slice(0, 1000)}>
            {query.replaceAll(/\s+/g, ' ')}
          </span>
        ),
    },
    {
      id: 'end',
      head: 'Stop',
      hideHead: true,
      width: '88px',
      cell: ({ session }) => (
        <EndButtons
          projectRef={projectRef}
          session={session}
          onEnd={(deed) => onEnd(session, deed)}
        />
      ),
    },
  ]
}

type SessionColumnsProps = { projectRef: string; session: Session; onEnd: (deed: Deed) => void }

function EndButtons({ projectRef, session, onEnd }: SessionColumnsProps) {
  const denials = useDenials(useProject(projectRef))
  const { pid, started, state } = session
  const hidden = started === null && 'You cannot see this session'
  const idle = state !== 'active' && 'It is not running a query'
  return (
    <span className="row-acts">
      <IconButton
        icon={CircleStop}
        label={`Cancel the query of ${pid}`}
        disabledReason={denials(activity.cancel) ?? (hidden || idle)}
        onClick={() => onEnd('cancel')}
      />
      <IconButton
        icon={Unplug}
        label={`End session ${pid}`}
        disabledReason={denials(activity.terminate) ?? hidden}
        onClick={() => onEnd('terminate')}
      />
    </span>
  )
}

type Deed = 'cancel' | 'terminate'
type EndDialogProps = { projectRef: string; session: Session; deed: Deed; onClose: () => void }

/** Asks before a query is cancelled or a session ended. */
function EndDialog({ projectRef, session, deed, onClose }: EndDialogProps) {
  const { pid, started, role, kind, query } = session
  const isCancel = deed === 'cancel'
  const settled = {
    changes: [activity.list],
    onSuccess: () => {
      toast.success(isCancel ? `The query of ${pid} is cancelled` : `Session ${pid} is ended`)
      onClose()
    },
  }
  const cancel = useDatabaseCall(activity.cancel, settled)
  const terminate = useDatabaseCall(activity.terminate, settled)
  const { error, isPending } = isCancel ? cancel : terminate
  const named = { ref: projectRef, pid, started: started ?? '' }
  return (
    <ConfirmDialog
      open
      title={isCancel ? `Cancel the query of ${pid}` : `End session ${pid}`}
      verb={isCancel ? 'Cancel query' : 'End session'}
      error={error?.message}
      pending={isPending}
      onClose={onClose}
      onConfirm={() =>
        isCancel
          ? cancel.mutate(named)
          : // The text above has said whose session it is.
            terminate.mutate({ ...named, platform: kind === 'platform' })
      }
    >
      <p>
        {isCancel
          ? 'What this statement has done is rolled back. The session stays connected.'
          : 'Its connection ends, and what it has not committed is rolled back.'}
      </p>
      {kind === 'platform' && (
        <p>
          This session belongs to a service of the platform (<span className="mono">{role}</span>).
          The service reconnects, and requests that it was answering fail.
        </p>
      )}
      {query && <CodeBlock code={query} language="sql" what="query" />}
    </ConfirmDialog>
  )
}
