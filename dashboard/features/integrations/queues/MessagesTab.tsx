import { useInfiniteQuery } from '@tanstack/react-query'
import { Inbox, RotateCw, SearchX } from 'lucide-react'
import { useState } from 'react'
import {
  maxMessages,
  messageStates,
  queues,
  type MessageState,
} from '#contract/integrations/queues'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { counted } from '../../../ui/text/number.ts'
import { messageColumns, stateWords } from './message-columns.tsx'
import { MessageActions } from './MessageActions.tsx'
import { MessagePanel } from './MessagePanel.tsx'
import { messagesQuery } from './queries.ts'
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
