import { useQuery } from '@tanstack/react-query'
import { Inbox, Plus, SearchX } from 'lucide-react'
import { useState } from 'react'
import {
  queueNameProblem,
  queues,
  queueTypes,
  type Queue,
  type QueueType,
} from '#contract/integrations/queues'
import { EnableCard } from '../../../modules/integrations/EnableCard.tsx'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { FormPanel } from '../../../ui/floats/FormPanel.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Table } from '../../../ui/lists/Table.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { DropQueue, PurgeQueue } from './QueueDialogs.tsx'
import { ExposeQueues } from './ExposeQueues.tsx'
import { ofQueues, queuesQuery } from './queries.ts'
import { queueColumns, typeWords } from './queue-columns.tsx'
import { useRates } from './rates.ts'
import '../../../ui/lists/list-page.css'
import './queues.css'

type Props = { projectRef: string; search: string; onSearch: (search: string) => void }
type Doing = { what: 'create' } | { what: 'purge' | 'drop'; queue: Queue }

/** /project/{ref}/integrations/queues: messages that wait in tables of the database until a worker reads them. */
export function QueuesPage({ projectRef, search, onSearch }: Props) {
  const query = useQuery(queuesQuery(projectRef))
  const denied = useDenials(useProject(projectRef))
  const [doing, setDoing] = useState<Doing>()
  const { data, error } = query
  const rateOf = useRates(data?.queues, query.dataUpdatedAt)
  const words = search.trim().toLowerCase()
  const rows = data?.queues.filter(({ name }) => name.toLowerCase().includes(words))
  const create = (
    <Button
      variant="primary"
      icon={Plus}
      disabledReason={denied(queues.create)}
      onClick={() => setDoing({ what: 'create' })}
    >
      Create queue
    </Button>
  )
  const close = () => setDoing(undefined)
  return (
    <Page>
      <PageHead
        title="Queues"
        help="Messages that wait in this database until a worker reads them."
        actions={
          data?.installed && (
            <>
              <SearchField label="Find a queue" value={search} onChange={onSearch} />
              {create}
            </>
          )
        }
      />
      {error && !data && (
        <ErrorNote what="Queues" error={error} onRetry={() => void query.refetch()} />
      )}
      {data && !data.installed && (
        <EnableCard
          projectRef={projectRef}
          icon={Inbox}
          name="Queues"
          title="Queues are not enabled yet"
          extension="pgmq"
          done="Queues are enabled"
          changes={ofQueues}
        >
          Enabling them creates the extension <code>pgmq</code>, with the schema <code>pgmq</code>,
          in this database. Migrations that create it enable it too.
        </EnableCard>
      )}
      {(data?.installed || (!data && !error)) && (
        <div className="sections">
          <Table
            label="Queues"
            columns={queueColumns({
              projectRef,
              rateOf,
              whyNoPurge: denied(queues.purge),
              whyNoDrop: denied(queues.drop),
              onPurge: (queue) => setDoing({ what: 'purge', queue }),
              onDrop: (queue) => setDoing({ what: 'drop', queue }),
            })}
            rows={rows}
            keyOf={({ name }) => name}
            empty={
              words ? (
                <EmptyState icon={SearchX} title="No queue matches">
                  No name contains “{search.trim()}”.
                </EmptyState>
              ) : (
                <EmptyState icon={Inbox} title="No queues yet" action={create}>
                  Send work to a queue and let a worker do it later: emails, webhooks, images to
                  resize. A message stays until a worker deletes or archives it.
                </EmptyState>
              )
            }
          />
          {data?.installed && <ExposeQueues projectRef={projectRef} functions={data.functions} />}
        </div>
      )}
      {doing?.what === 'create' && (
        <CreateQueue
          projectRef={projectRef}
          names={data?.queues.map(({ name }) => name) ?? []}
          onClose={close}
        />
      )}
      {doing?.what === 'purge' && (
        <PurgeQueue projectRef={projectRef} queue={doing.queue} onClose={close} />
      )}
      {doing?.what === 'drop' && (
        <DropQueue projectRef={projectRef} queue={doing.queue} onClose={close} />
      )}
    </Page>
  )
}

type CreateQueueProps = { projectRef: string; names: readonly string[]; onClose: () => void }

const typeHelp: Record<QueueType, string> = {
  basic: 'Every message is kept, also when the server stops unexpectedly.',
  unlogged: 'Faster, but all messages are lost when the server stops unexpectedly.',
  partitioned:
    'For long histories: old messages are dropped partition by partition, whether they were read or not.',
}
const types = queueTypes.map((value) => ({ value, label: typeWords[value] }))

function CreateQueue({ projectRef, names, onClose }: CreateQueueProps) {
  const [name, setName] = useState('')
  const [type, setType] = useState<QueueType>('basic')
  const [rls, setRls] = useState(true)
  const [interval, setInterval] = useState('10000')
  const [retention, setRetention] = useState('100000')
  const [tried, setTried] = useState(false)
  const create = useDatabaseCall(queues.create, {
    changes: ofQueues,
    onSuccess: () => {
      toast.success(`${name.trim()} is created`)
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
