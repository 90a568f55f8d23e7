import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Eraser, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { queues, type QueueDetail } from '#contract/integrations/queues'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Tabs } from '../../../ui/navigation/Tabs.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { MessagesTab } from './MessagesTab.tsx'
import { queueQuery } from './queries.ts'
import { typeWords, countText } from './queue-columns.tsx'
import { DropQueue, PurgeQueue } from './QueueDialogs.tsx'
import { QueueSettings } from './QueueSettings.tsx'
import type { QueueSearch } from './search.ts'
import { SendPanel } from './SendPanel.tsx'
import '../../../ui/lists/list-page.css'
import './queues.css'

type Props = {
  projectRef: string
  name: string
  search: QueueSearch
  onSearch: (search: QueueSearch) => void
}

const tabs = [
  { id: 'messages', label: 'Messages' },
  { id: 'settings', label: 'Settings' },
] as const

/** /project/{ref}/integrations/queues/{name}: the messages of one queue, and who may reach them. */
export function QueuePage({ projectRef, name, search, onSearch }: Props) {
  const query = useQuery(queueQuery(projectRef, name))
  const denied = useDenials(useProject(projectRef))
  const navigate = useNavigate()
  const [doing, setDoing] = useState<'send' | 'purge' | 'drop'>()
  const { data, error } = query
  const lost = data?.table_id === null && 'The table of the queue is missing'
  const close = () => setDoing(undefined)
  return (
    <Page>
      <PageHead
        title={
          <>
            {name}
            {data && <Badge>{typeWords[data.type]}</Badge>}
          </>
        }
        help={
          <Link
            className="link"
            to="/project/$ref/integrations/queues"
            params={{ ref: projectRef }}
          >
            All queues
          </Link>
        }
        actions={
          data && (
            <>
              <Button
                icon={Eraser}
                disabledReason={denied(queues.purge) ?? lost}
                onClick={() => setDoing('purge')}
              >
                Purge
              </Button>
              <Button
                icon={Trash2}
                disabledReason={denied(queues.drop)}
                onClick={() => setDoing('drop')}
              >
                Drop
              </Button>
              <Button
                variant="primary"
                icon={Send}
                disabledReason={denied(queues.send) ?? lost}
                onClick={() => setDoing('send')}
              >
                Send message
              </Button>
            </>
          )
        }
      />
      {error && !data && (
        <ErrorNote what="The queue" error={error} onRetry={() => void query.refetch()} />
      )}
      {lost && (
        <Alert variant="danger" title="The table of this queue is missing">
          Somebody has dropped it without the queue. Drop the queue and create it again.
        </Alert>
      )}
      {!error && !lost && (
        <>
          <Figures queue={data} />
          <Tabs
            label="Parts of the queue"
            tabs={tabs}
            value={search.tab ?? 'messages'}
            onChange={(tab) => onSearch({ ...search, tab: tab === 'messages' ? undefined : tab })}
          />
          {search.tab === 'settings' ? (
            data && <QueueSettings projectRef={projectRef} queue={data} />
          ) : (
            <MessagesTab
              projectRef={projectRef}
              name={name}
              search={search}
              onSearch={onSearch}
              onSend={() => setDoing('send')}
            />
          )}
        </>
      )}
      {doing === 'send' && <SendPanel projectRef={projectRef} name={name} onClose={close} />}
      {doing === 'purge' && <PurgeQueue projectRef={projectRef} queue={{ name }} onClose={close} />}
      {doing === 'drop' && (
        <DropQueue
          projectRef={projectRef}
          queue={{ name }}
          onClose={close}
          onDropped={() =>
            void navigate({
              to: '/project/$ref/integrations/queues',
              params: { ref: projectRef },
              replace: true,
            })
          }
        />
      )}
    </Page>
  )
}

function Figures({ queue }: { queue: QueueDetail | undefined }) {
  const figures = [
    { label: 'Messages', value: queue && countText(queue.length) },
    { label: 'Available', value: queue && countText(queue.available) },
    { label: 'Archived', value: queue && countText(queue.archived) },
    {
      label: 'Oldest message',
      value: queue && (queue.oldest ? <Time at={queue.oldest} /> : 'None'),
    },
  ]
  return (
    <div className="figures queue-figures">
      {figures.map(({ label, value }) => (
        <div key={label} className="card">
          <span className="muted t12">{label}</span>
          <b>{value ?? <Skeleton width={48} />}</b>
        </div>
      ))}
    </div>
  )
}
