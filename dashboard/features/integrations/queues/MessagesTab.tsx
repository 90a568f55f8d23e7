import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Inbox, RotateCw, SearchX } from 'lucide-react'
import { useState } from 'react'
import {
  maxMessages,
  messageStates,
  queues,
  type MessageState,
  type queueTables,
} from '#contract/integrations/queues'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { spread } from '../../../ui/grid/json-text.ts'
import { Table } from '../../../ui/lists/Table.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { bytesText, counted } from '../../../ui/text/number.ts'
import { exactTime } from '../../../ui/text/time.ts'
import { messageColumns, StateBadge, stateWords } from './message-columns.tsx'
import { MessageActions } from './MessageActions.tsx'
import { messageQuery, messagesQuery } from './queries.ts'
import type { QueueSearch } from './search.ts'

type Props = {
  projectRef: string
  name: string
  search: QueueSearch
  onSearch: (search: QueueSearch) => void
  onSend: () => void
}

const stateChoices: { value: MessageState | 'all'; label: string }[] = [
  { value: 'all', label: 'All in the queue' },
  ...messageStates.map((value) => ({ value, label: stateWords[value] })),
]
const orders = [
  { value: 'oldest', label: 'Oldest first' },
  { value: 'newest', label: 'Newest first' },
] as const

/** The messages of a queue. Looking at them changes nothing, and no worker notices. */
export function MessagesTab({ projectRef, name, search, onSearch, onSend }: Props) {
  const { state, order = 'oldest', message } = search
  const query = useInfiniteQuery(messagesQuery(projectRef, name, { state, order }))
  const denied = useDenials(useProject(projectRef))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const rows = query.data?.pages.flatMap(({ messages }) => messages)
  const isPartial = query.hasNextPage && rows?.length === 0
  // What a worker has taken away meanwhile is no longer chosen.
  const ids = (rows ?? []).map(({ id }) => id).filter((id) => chosen.has(id))
  const from = state === 'archived' ? 'archive' : 'queue'
  const choose = (change: Partial<QueueSearch>) => {
    setChosen(new Set())
    onSearch({ ...search, message: undefined, ...change })
  }
  return (
    <>
      <div className="queue-bar">
        <Select
          label="State"
          size="tool"
          options={stateChoices}
          value={state ?? 'all'}
          onChange={(next) => choose({ state: next === 'all' ? undefined : next })}
        />
        <Select
          label="Order"
          size="tool"
          options={orders}
          value={order}
          onChange={(next) => choose({ order: next === 'newest' ? next : undefined })}
        />
        <IconButton
          icon={RotateCw}
          label="Refresh"
          busy={query.isRefetching}
          onClick={() => void query.refetch()}
        />
        {ids.length > 0 && (
          <div className="queue-selected">
            <span className="muted">{counted(ids.length, 'message')} selected</span>
            <MessageActions
              projectRef={projectRef}
              name={name}
              ids={ids}
              from={from}
              onDone={() => setChosen(new Set())}
            />
          </div>
        )}
      </div>
      <Table
        label="Messages"
        columns={messageColumns({
          archived: from === 'archive',
          why: denied(queues.postpone),
          chosen,
          all: rows?.slice(0, maxMessages).map(({ id }) => id) ?? [],
          isFull: ids.length >= maxMessages,
          onChosen: setChosen,
          onOpen: (id) => onSearch({ ...search, message: id }),
        })}
        rows={rows}
        keyOf={({ id }) => id}
        pageSize={Number.MAX_SAFE_INTEGER}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={
          state ? (
            <EmptyState
              icon={SearchX}
              title={`No ${stateWords[state].toLowerCase()} messages${isPartial ? ' so far' : ''}`}
            >
              {isPartial ? 'This queue is long: search on, part by part.' : emptyWords[state]}
            </EmptyState>
          ) : (
            <EmptyState
              icon={Inbox}
              title="The queue is empty"
              action={
                <Button disabledReason={denied(queues.send)} onClick={onSend}>
                  Send message
                </Button>
              }
            >
              Messages appear here when an app, a function or SQL sends them.
            </EmptyState>
          )
        }
      />
      {query.hasNextPage && (
        <div className="more">
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {isPartial ? 'Search on' : `Show ${order === 'oldest' ? 'newer' : 'older'}`}
          </Button>
        </div>
      )}
      {message && (
        <MessagePanel
          key={`${from} ${message}`}
          projectRef={projectRef}
          name={name}
          id={message}
          from={from}
          onClose={() => onSearch({ ...search, message: undefined })}
        />
      )}
    </>
  )
}

const emptyWords: Record<MessageState, string> = {
  available: 'There is no message that a worker could read now.',
  scheduled: 'No message waits for its time.',
  invisible: 'No worker has read a message that it has not finished.',
  archived: 'Messages that workers archive are kept here until somebody deletes them.',
}

type MessagePanelProps = {
  projectRef: string
  name: string
  id: string
  from: (typeof queueTables)[number]
  onClose: () => void
}

/** One message with all that is known of it. */
function MessagePanel({ projectRef, name, id, from, onClose }: MessagePanelProps) {
  const { data, error, refetch } = useQuery(messageQuery(projectRef, name, { id, from }))
  return (
    <SidePanel
      open
      size="large"
      title={`Message ${id}`}
      onClose={onClose}
      footer={
        data && (
          <div className="queue-selected">
            <MessageActions
              projectRef={projectRef}
              name={name}
              ids={[id]}
              from={from}
              onDone={onClose}
            />
          </div>
        )
      }
    >
      {error && <ErrorNote what="The message" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton width="60%" />}
      {data && (
        <>
          <dl className="defs">
            <dt>State</dt>
            <dd>
              <StateBadge state={data.state} />
            </dd>
            <dt>Sent</dt>
            <dd>{exactTime(new Date(data.sent))}</dd>
            <dt>{data.state === 'archived' ? 'Archived' : 'Visible from'}</dt>
            <dd>{exactTime(new Date(data.at))}</dd>
            <dt>Reads</dt>
            <dd>{data.reads}</dd>
            <dt>Size</dt>
            <dd>{bytesText(data.bytes)}, as stored</dd>
          </dl>
          <div className="panel-part">
            <h3>Message</h3>
            {data.message === null ? (
              <Alert variant="info" title="This message is too large to be shown here">
                Read it in the SQL editor.
              </Alert>
            ) : (
              <CodeBlock code={spread(data.message)} language="js" what="message" />
            )}
          </div>
          {data.headers !== null && (
            <div className="panel-part">
              <h3>Headers</h3>
              <CodeBlock code={spread(data.headers)} language="js" what="headers" />
            </div>
          )}
        </>
      )}
    </SidePanel>
  )
}
