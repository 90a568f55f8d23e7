import { useQuery } from '@tanstack/react-query'
import { Inbox, Plus, SearchX } from 'lucide-react'
import { useState } from 'react'
import { queues, type Queue } from '#contract/integrations/queues'
import { EnableCard } from '../../../modules/integrations/EnableCard.tsx'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { CreateQueue } from './CreateQueue.tsx'
import { DropQueue, PurgeQueue } from './QueueDialogs.tsx'
import { ExposeQueues } from './ExposeQueues.tsx'
import { forgetQueues, queuesQuery } from './queries.ts'
import { queueColumns } from './queue-columns.tsx'
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
          onDone={forgetQueues}
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
