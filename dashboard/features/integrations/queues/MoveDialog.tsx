import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queues } from '#contract/integrations/queues'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { counted } from '../../../ui/text/number.ts'
import { queuesQuery } from './queries.ts'

type Props = {
  of: { ref: string; name: string; ids: string[] }
  onClose: () => void
  onDone: (answer: { changed: number }) => Promise<void>
}

/** Chooses the queue that messages go to. */
export function MoveDialog({ of, onClose, onDone }: Props) {
  const { data, error } = useQuery(queuesQuery(of.ref))
  const [to, setTo] = useState<string>()
  const move = useDatabaseCall(queues.move, { onSuccess: onDone })
  const others = (data?.queues ?? []).filter(
    ({ name, table_id }) => name !== of.name && table_id !== null,
  )
  return (
    <FormDialog
      title={`Move ${counted(of.ids.length, 'message')}`}
      verb="Move"
      disabled={to === undefined}
      pending={move.isPending}
      onSubmit={() => to !== undefined && move.mutate({ ...of, to })}
      onClose={onClose}
    >
      <SelectField
        label="Queue"
        placeholder={data && others.length === 0 ? 'There is no other queue' : 'Choose a queue'}
        options={others.map(({ name }) => ({ value: name, label: name }))}
        value={to}
        help="They are sent there again with their headers, and get new IDs."
        error={move.error?.message ?? error?.message}
        onChange={setTo}
      />
    </FormDialog>
  )
}
