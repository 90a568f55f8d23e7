import { CornerDownRight, CircleStop, Unplug } from 'lucide-react'
import { type Session, activity } from '#contract/database/activity'
import { Badge, type Tone } from '../../ui/text/Badge.tsx'
import { Icon } from '../../ui/Icon.tsx'
import type { Column } from '../../ui/lists/Table.tsx'
import { forget } from '../../api/client.ts'
import { CodeBlock } from '../../ui/text/CodeBlock.tsx'
import { ConfirmDialog } from '../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../ui/floats/toast.ts'
import { useDatabaseCall } from '../../session/project/database.ts'
import { IconButton } from '../../ui/controls/IconButton.tsx'
import { useDenials } from '../../session/organization/permissions.ts'
import { useProject } from '../../session/project/project.ts'
import { lasting, type Node } from './blocking.ts'

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

export function sessionColumns({ projectRef, now, short, onEnd }: Options): Column<Node>[] {
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

type Props = { projectRef: string; session: Session; onEnd: (deed: Deed) => void }

function EndButtons({ projectRef, session, onEnd }: Props) {
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

export type Deed = 'cancel' | 'terminate'
type EndDialogProps = { projectRef: string; session: Session; deed: Deed; onClose: () => void }

/** Asks before a query is cancelled or a session ended. */
export function EndDialog({ projectRef, session, deed, onClose }: EndDialogProps) {
  const { pid, started, role, kind, query } = session
  const isCancel = deed === 'cancel'
  const settled = {
    onSuccess: async () => {
      await forget(activity.list)
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
