import { useState } from 'react'
import { queueNameProblem, queues, queueTypes, type QueueType } from '#contract/integrations/queues'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { FormPanel } from '../../../ui/floats/FormPanel.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { forgetQueues } from './queries.ts'
import { typeWords } from './queue-columns.tsx'

type Props = { projectRef: string; names: readonly string[]; onClose: () => void }

const typeHelp: Record<QueueType, string> = {
  basic: 'Every message is kept, also when the server stops unexpectedly.',
  unlogged: 'Faster, but all messages are lost when the server stops unexpectedly.',
  partitioned:
    'For long histories: old messages are dropped partition by partition, whether they were read or not.',
}
const types = queueTypes.map((value) => ({ value, label: typeWords[value] }))

export function CreateQueue({ projectRef, names, onClose }: Props) {
  const [name, setName] = useState('')
  const [type, setType] = useState<QueueType>('basic')
  const [rls, setRls] = useState(true)
  const [interval, setInterval] = useState('10000')
  const [retention, setRetention] = useState('100000')
  const [tried, setTried] = useState(false)
  const create = useDatabaseCall(queues.create, {
    onSuccess: async () => {
      toast.success(`${name.trim()} is created`)
      await forgetQueues()
      onClose()
    },
  })
  const trimmed = name.trim()
  const taken = names.some((known) => known.toLowerCase() === trimmed.toLowerCase())
  const problem =
    queueNameProblem(trimmed) ?? (taken ? 'There is a queue with this name' : undefined)
  const send = () => {
    setTried(true)
    if (problem) return
    const parts = { partition_interval: interval, retention_interval: retention }
    create.mutate({
      ref: projectRef,
      name: trimmed,
      type,
      rls,
      ...(type === 'partitioned' && parts),
    })
  }
  return (
    <FormPanel
      title="Create a queue"
      verb="Create queue"
      error={create.error?.message}
      pending={create.isPending}
      onSubmit={send}
      onClose={onClose}
    >
      <TextField
        label="Name"
        mono
        autoComplete="off"
        spellCheck={false}
        help="At most 47 bytes. Upper and lower case make no difference."
        error={tried || trimmed.length > 1 ? problem : undefined}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <SelectField
        label="Type"
        options={types}
        value={type}
        help={typeHelp[type]}
        onChange={setType}
      />
      {type === 'partitioned' && (
        <div className="field-pair">
          <TextField
            label="Partition interval"
            mono
            autoComplete="off"
            help="Messages in a partition, or a time such as 1 day."
            value={interval}
            onChange={(event) => setInterval(event.target.value)}
          />
          <TextField
            label="Retention"
            mono
            autoComplete="off"
            help="Messages that are kept, or a time such as 30 days."
            value={retention}
            onChange={(event) => setRetention(event.target.value)}
          />
        </div>
      )}
      <div>
        <Checkbox
          label="Enable row level security"
          checked={rls}
          onChange={(event) => setRls(event.target.checked)}
        />
        <p className="queue-note">
          Roles reach only the messages that a policy allows. The owner of the database and
          service_role are not limited.
        </p>
      </div>
    </FormPanel>
  )
}
