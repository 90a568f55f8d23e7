import { useQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import type { FunctionEvent } from '#contract/functions/functions-events'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Table, type Column } from '../../../ui/lists/Table.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { eventsQuery } from './queries.ts'
import './functions.css'

type Props = { projectRef: string; slug: string; kind: FunctionEvent['kind'] }
type Of<Kind> = Extract<FunctionEvent, { kind: Kind }>

const at = ({ timestamp }: FunctionEvent) => <Time at={new Date(timestamp).toISOString()} />
const when = { id: 'at', head: 'When', width: '140px' } as const

const logColumns: Column<Of<'log'>>[] = [
  { ...when, cell: at },
  { id: 'level', head: 'Level', width: '90px', cell: ({ level }) => level },
  { id: 'type', head: 'Event', width: '100px', wideOnly: true, cell: (each) => each.event_type },
  {
    id: 'message',
    head: 'Message',
    cell: (each) => <span className="mono function-message">{each.event_message}</span>,
  },
]
const callColumns: Column<Of<'invocation'>>[] = [
  { ...when, cell: at },
  { id: 'status', head: 'Status', width: '90px', cell: ({ status }) => status },
  { id: 'method', head: 'Method', width: '100px', cell: ({ method }) => method },
  { id: 'url', head: 'Path', cell: ({ url }) => <span className="mono ell">{url}</span> },
  {
    id: 'time',
    head: 'Took',
    width: '100px',
    numeric: true,
    cell: ({ execution_time_ms: ms }) => `${ms} ms`,
  },
]

/** /project/{ref}/functions/{slug}/logs and /invocations: the newest first, read again every few seconds. */
export function EventsPage({ projectRef, slug, kind }: Props) {
  const { data, error, refetch } = useQuery(eventsQuery(projectRef, slug, kind))
  const rest = {
    keyOf: ({ id }: FunctionEvent) => id,
    error,
    onRetry: () => void refetch(),
    empty: (
      <EmptyState icon={ScrollText} title="Nothing yet">
        {kind === 'log'
          ? 'Console output of the function appears here as soon as it runs.'
          : 'Calls of the function appear here as soon as there are any.'}
      </EmptyState>
    ),
  }
  return (
    <div className="card">
      {kind === 'log' ? (
        <Table
          label="Logs"
          columns={logColumns}
          rows={data?.flatMap((event) => (event.kind === 'log' ? [event] : []))}
          {...rest}
        />
      ) : (
        <Table
          label="Invocations"
          columns={callColumns}
          rows={data?.flatMap((event) => (event.kind === 'invocation' ? [event] : []))}
          {...rest}
        />
      )}
    </div>
  )
}
