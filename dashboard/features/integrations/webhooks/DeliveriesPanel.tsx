import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { History, RotateCw, Send, Undo2 } from 'lucide-react'
import { useState } from 'react'
import {
  deliveryStates,
  hookLimits,
  webhookCalls,
  type Delivery,
  type Hook,
} from '#contract/integrations/webhook-calls'
import { forget } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Table, type Column } from '../../../ui/lists/Table.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { counted, numberText } from '../../../ui/text/number.ts'
import { Time } from '../../../ui/text/Time.tsx'
import { DeliveryDetails } from './DeliveryDetails.tsx'
import { outcomeOf, stateOf, stateWords } from './delivery-words.ts'
import { deliveriesQuery, ofCalls, replayableQuery } from './queries.ts'

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
              onRefresh={() => void forget(...ofCalls)}
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
    changes: ofCalls,
    onSuccess: () => {
      toast.success(
        hook.settings.paused
          ? 'The test call waits until the webhook is resumed'
          : 'The test call is on its way',
      )
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

type ReplayDialogProps = { projectRef: string; hook: Hook; onClose: () => void }

const states = [
  { value: 'dead', label: 'Dead letters' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'all', label: 'Both' },
] as const

/** A moment as the browser's own clock tells it; undefined: no bound. */
const momentOf = (typed: string) => (typed === '' ? undefined : new Date(typed).toISOString())

/** Chooses calls that have ended, says how many they are, and has them made again. */
function ReplayDialog({ projectRef, hook, onClose }: ReplayDialogProps) {
  const [state, setState] = useState<(typeof states)[number]['value']>('dead')
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const chosen = {
    table_id: hook.table_id,
    name: hook.name,
    state: state === 'all' ? undefined : state,
    from: momentOf(from),
    to: momentOf(to),
  }
  const wrong = from !== '' && to !== '' && from > to
  const { data, error } = useQuery({
    ...replayableQuery(projectRef, chosen),
    enabled: !wrong,
  })
  const count = wrong ? undefined : data?.count
  const replay = useDatabaseCall(webhookCalls.replay, {
    changes: ofCalls,
    onSuccess: ({ replayed }) => {
      toast.success(`${counted(replayed, 'call is', 'calls are')} made again`)
      onClose()
    },
  })
  const failure = replay.error ?? error
  return (
    <FormDialog
      size="large"
      title="Replay calls"
      verb={count === undefined ? 'Replay' : `Replay ${counted(count, 'call', 'calls')}`}
      disabled={!count}
      pending={replay.isPending}
      onSubmit={() => count && replay.mutate({ ref: projectRef, ...chosen })}
      onClose={onClose}
    >
      <div className="form-stack">
        <div className="row">
          <Segmented label="Calls" options={states} value={state} onChange={setState} />
        </div>
        <div className="field-pair">
          <TextField
            label="Requested from"
            type="datetime-local"
            step={1}
            value={from}
            onChange={(event) => setFrom(event.target.value)}
          />
          <TextField
            label="Requested until"
            type="datetime-local"
            step={1}
            error={wrong ? 'The end must be after the beginning' : undefined}
            value={to}
            onChange={(event) => setTo(event.target.value)}
          />
        </div>
        <p className="help">
          Times are in the time zone of your browser. Leave a field empty for no limit.
        </p>
        <output>
          {count === undefined ? (wrong ? null : 'Counting calls …') : inWords(count)}
        </output>
        {count !== undefined && count > 0 && (
          <p className="help">
            Each is sent to the address that it had, with the same <code>webhook-id</code>, so that
            a receiver can tell what it has had before.
          </p>
        )}
        {failure && <Alert variant="danger" title={failure.message} />}
      </div>
    </FormDialog>
  )
}

function inWords(count: number): string {
  if (count === 0) return 'No call matches.'
  if (count < hookLimits.replay) return `${counted(count, 'call matches', 'calls match')}.`
  return `${numberText(count)} calls or more match. The oldest ${numberText(count)} are replayed; replay again for the rest.`
}
