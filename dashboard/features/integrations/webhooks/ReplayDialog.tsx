import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hookLimits, webhookCalls, type Hook } from '#contract/integrations/webhook-calls'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { counted, numberText } from '../../../ui/text/number.ts'
import { forgetCalls, replayableQuery } from './queries.ts'

type Props = { projectRef: string; hook: Hook; onClose: () => void }

const states = [
  { value: 'dead', label: 'Dead letters' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'all', label: 'Both' },
] as const

/** A moment as the browser's own clock tells it; undefined: no bound. */
const momentOf = (typed: string) => (typed === '' ? undefined : new Date(typed).toISOString())

/** Chooses calls that have ended, says how many they are, and has them made again. */
export function ReplayDialog({ projectRef, hook, onClose }: Props) {
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
    onSuccess: async ({ replayed }) => {
      toast.success(`${counted(replayed, 'call is', 'calls are')} made again`)
      await forgetCalls()
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
