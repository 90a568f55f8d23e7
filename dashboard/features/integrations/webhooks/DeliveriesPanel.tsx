import { useInfiniteQuery } from '@tanstack/react-query'
import { History, RotateCw, Send, Undo2 } from 'lucide-react'
import { useState } from 'react'
import {
  deliveryStates,
  webhookCalls,
  type Delivery,
  type Hook,
} from '#contract/integrations/webhook-calls'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Table, type Column } from '../../../ui/lists/Table.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { DeliveryDetails } from './DeliveryDetails.tsx'
import { outcomeOf, stateOf, stateWords } from './delivery-words.ts'
import { deliveriesQuery, forgetCalls } from './queries.ts'
import { ReplayDialog } from './ReplayDialog.tsx'

type Props = { projectRef: string; hook: Hook; onClose: () => void }

const choices = [
  { value: 'all', label: 'All' },
  ...deliveryStates.map((value) => ({
    value,
    label: `${stateWords[value]}${value === 'dead' ? 's' : ''}`,
  })),
]

/** What a webhook has called, the newest first, and what became of each call. */
export function DeliveriesPanel({ projectRef, hook, onClose }: Props) {
  const [chosen, setChosen] = useState('all')
  const [shown, setShown] = useState<string>()
  const state = deliveryStates.find((one) => one === chosen)
  const { table_id: table, name } = hook
  const query = useInfiniteQuery(deliveriesQuery(projectRef, { table, name, state }))
  const rows = query.data?.pages.flatMap(({ deliveries }) => deliveries)
  return (
    <SidePanel
      open
      size="xxlarge"
      onClose={onClose}
      title={
        <>
          Calls of <span className="mono">{name}</span>
        </>
      }
    >
      {shown === undefined ? (
        <div className="webhook-calls">
          <div className="webhook-calls-head">
            <Segmented label="State" options={choices} value={chosen} onChange={setChosen} />
            <Actions
              projectRef={projectRef}
              hook={hook}
              refreshing={query.isFetching}
              onRefresh={() => void forgetCalls()}
            />
          </div>
          <Table
            label="Calls"
            columns={columns(setShown)}
            rows={rows}
            keyOf={({ id }) => id}
            error={query.error}
            onRetry={() => void query.refetch()}
            empty={
              <EmptyState
                icon={History}
                title={state ? `No call is ${emptyWords[state]}` : 'No calls yet'}
              >
                A call is listed here when a row has changed. Delivered calls are kept for a week,
                dead letters for four, and those that wait until they are made.
              </EmptyState>
            }
          />
          {query.hasNextPage && (
            <div className="more">
              <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                Show older
              </Button>
            </div>
          )}
        </div>
      ) : (
        <DeliveryDetails projectRef={projectRef} id={shown} onBack={() => setShown(undefined)} />
      )}
    </SidePanel>
  )
}

const emptyWords = { waiting: 'waiting', delivered: 'delivered', dead: 'a dead letter' } as const

const columns = (onShow: (id: string) => void): Column<Delivery>[] => [
  {
    id: 'state',
    head: 'State',
    width: '112px',
    cell: (call) => {
      const { tone, word } = stateOf(call)
      return <Badge tone={tone}>{word}</Badge>
    },
  },
  {
    id: 'asked',
    head: 'Requested',
    cell: ({ id, created_at }) => (
      <button type="button" className="link" onClick={() => onShow(id)}>
        <Time at={created_at} />
      </button>
    ),
  },
  {
    id: 'result',
    head: 'Last result',
    cell: ({ last }) =>
      last && (
        <span className="webhook-result" title={last.error_msg ?? undefined}>
          {last.status_code === null
            ? (last.error_msg ?? outcomeOf(last).word)
            : outcomeOf(last).word}
        </span>
      ),
  },
  {
    id: 'attempts',
    head: 'Attempts',
    numeric: true,
    width: '88px',
    cell: ({ attempts }) => attempts,
  },
  {
    id: 'next',
    head: 'Next attempt',
    wideOnly: true,
    cell: ({ state, due_at, attempts }) =>
      due_at !== null
        ? attempts > 0 && <Time at={due_at} />
        : state === 'waiting' && <span className="muted">After the one before</span>,
  },
]

type ActionsProps = { projectRef: string; hook: Hook; refreshing: boolean; onRefresh: () => void }

function Actions({ projectRef, hook, refreshing, onRefresh }: ActionsProps) {
  const denied = useDenials(useProject(projectRef))
  const [asking, setAsking] = useState(false)
  const of = { ref: projectRef, table_id: hook.table_id, name: hook.name }
  const test = useDatabaseCall(webhookCalls.test, {
    onSuccess: async () => {
      toast.success(
        hook.settings.paused
          ? 'The test call waits until the webhook is resumed'
          : 'The test call is on its way',
      )
      await forgetCalls()
    },
    onError: ({ message }) => toast.error(message),
  })
  return (
    <div className="row">
      <Button
        icon={Undo2}
        disabledReason={
          denied(webhookCalls.replay) ??
          (hook.ended === 0 ? 'No call has ended that could be replayed' : undefined)
        }
        onClick={() => setAsking(true)}
      >
        Replay
      </Button>
      <Button
        icon={Send}
        busy={test.isPending}
        disabledReason={denied(webhookCalls.test)}
        onClick={() => test.mutate(of)}
      >
        Test call
      </Button>
      <IconButton
        icon={RotateCw}
        size="form"
        label="Refresh"
        aria-busy={refreshing}
        onClick={onRefresh}
      />
      {asking && <ReplayDialog {...{ projectRef, hook }} onClose={() => setAsking(false)} />}
    </div>
  )
}
