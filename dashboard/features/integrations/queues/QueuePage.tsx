import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Eraser, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  longestDelay,
  longestMessage,
  queues,
  type QueueDetail,
} from '#contract/integrations/queues'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { TextArea, TextField } from '../../../ui/controls/TextField.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { FormPanel } from '../../../ui/floats/FormPanel.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { jsonProblem } from '../../../ui/grid/json-text.ts'
import { Tabs } from '../../../ui/navigation/Tabs.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { delayProblem } from './MessageActions.tsx'
import { MessagesTab } from './MessagesTab.tsx'
import { ofMessages, queueQuery } from './queries.ts'
import { typeWords, countText } from './queue-columns.tsx'
import { DropQueue, PurgeQueue } from './QueueDialogs.tsx'
import { QueueSettings } from './QueueSettings.tsx'
import type { QueueSearch } from './search.ts'
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
            navigate({
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

type SendPanelProps = { projectRef: string; name: string; onClose: () => void }

/** Sends one message. */
function SendPanel({ projectRef, name, onClose }: SendPanelProps) {
  const [message, setMessage] = useState('{}')
  const [headers, setHeaders] = useState('')
  const [delay, setDelay] = useState('0')
  const [tried, setTried] = useState(false)
  const send = useDatabaseCall(queues.send, {
    changes: ofMessages,
    onSuccess: ({ id }) => {
      toast.success(`Message ${id} is sent`)
      onClose()
    },
  })
  const problems = {
    message: problemIn(message),
    headers: headers.trim() ? problemIn(headers) : undefined,
    delay: delayProblem(delay, longestDelay),
  }
  const shown = tried ? problems : { message: undefined, headers: undefined, delay: undefined }
  const submit = () => {
    setTried(true)
    if (problems.message || problems.headers || problems.delay) return
    send.mutate({
      ref: projectRef,
      name,
      message,
      headers: headers.trim() ? headers : null,
      delay: Number(delay),
    })
  }
  return (
    <FormPanel
      title={`Send to ${name}`}
      size="large"
      verb="Send message"
      error={send.error?.message}
      pending={send.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextArea
        mono
        spellCheck={false}
        label="Message"
        rows={10}
        help="JSON."
        error={shown.message}
        value={message}
        onChange={(event) => setMessage(event.target.value)}
      />
      <TextArea
        mono
        spellCheck={false}
        label="Headers"
        rows={3}
        help="JSON that workers get beside the message. Leave it empty for none."
        error={shown.headers}
        value={headers}
        onChange={(event) => setHeaders(event.target.value)}
      />
      <TextField
        label="Delay"
        inputMode="numeric"
        autoComplete="off"
        unit="seconds"
        help="No worker reads the message before."
        error={shown.delay}
        value={delay}
        onChange={(event) => setDelay(event.target.value)}
      />
    </FormPanel>
  )
}

function problemIn(text: string): string | undefined {
  if (text.length > longestMessage) return 'Enter at most 500,000 characters'
  return jsonProblem(text)
}
