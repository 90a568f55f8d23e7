import { useState } from 'react'
import { longestDelay, queues } from '#contract/integrations/queues'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { counted } from '../../../ui/text/number.ts'
import { delayProblem } from './delay.ts'

type Props = {
  of: { ref: string; name: string; ids: string[] }
  onClose: () => void
  onDone: (answer: { changed: number }) => Promise<void>
}

/** Says from when on messages can be read. */
export function PostponeDialog({ of, onClose, onDone }: Props) {
  const [seconds, setSeconds] = useState('3600')
  const postpone = useDatabaseCall(queues.postpone, { onSuccess: onDone })
  const problem = delayProblem(seconds, longestDelay)
  return (
    <FormDialog
      title={`Postpone ${counted(of.ids.length, 'message')}`}
      verb="Postpone"
      disabled={problem !== undefined}
      pending={postpone.isPending}
      onSubmit={() => postpone.mutate({ ...of, seconds: Number(seconds) })}
      onClose={onClose}
    >
      <TextField
        label="Invisible for"
        inputMode="numeric"
        autoComplete="off"
        unit="seconds"
        help="From now on. With 0 a worker can read it at once."
        error={problem ?? postpone.error?.message}
        value={seconds}
        onChange={(event) => setSeconds(event.target.value)}
      />
    </FormDialog>
  )
}
