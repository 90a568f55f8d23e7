import { useSuspenseQuery } from '@tanstack/react-query'
import { Play, Square } from 'lucide-react'
import { useState, useEffect, useRef } from 'react'
import { realtime } from '#contract/realtime/realtime-config'
import { type Impersonation, keyClaims } from '../../../modules/roles/impersonation.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { projectQuery, useProject } from '../../../session/project/project.ts'
import { RolePicker } from '../../../modules/roles/RolePicker.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { TextField, TextArea } from '../../../ui/controls/TextField.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { Status, type StatusTone } from '../../../ui/text/Status.tsx'
import { call } from '../../../api/client.ts'
import { numberText } from '../../../ui/text/number.ts'
import { toast } from '../../../ui/floats/toast.ts'
import { ChannelForm } from './ChannelForm.tsx'
import {
  nothingHeard,
  objectFrom,
  type Phase,
  type Requested,
  Inspection,
  unseen,
  type Seen,
} from './inspection.ts'
import { MessageList } from './MessageList.tsx'
import '../../../ui/lists/objects.css'
import './inspector.css'

const phases: Record<Phase, { tone: StatusTone; text: string }> = {
  stopped: { tone: 'off', text: 'Not listening' },
  connecting: { tone: 'working', text: 'Connecting' },
  joined: { tone: 'success', text: 'Listening' },
  reconnecting: { tone: 'working', text: 'Connecting again' },
  refused: { tone: 'danger', text: 'Not joined' },
}

const first: Requested = {
  topic: '',
  isPrivate: false,
  broadcast: true,
  presence: true,
  changes: undefined,
}

/** /project/{ref}/realtime/inspector: what a client hears in a channel, as somebody. */
export function InspectorPage({ projectRef }: { projectRef: string }) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  const [requested, setRequested] = useState(first)
  const [as, setAs] = useState<Impersonation>()
  const [tried, setTried] = useState(false)
  const { seen, start, stop, clear, channel } = useInspection({
    ref: projectRef,
    url: project.endpoint,
  })
  const denied = useDenials(useProject(projectRef))(realtime.token)
  const { phase, problem } = seen
  const runs = phase === 'connecting' || phase === 'joined' || phase === 'reconnecting'
  const silent = phase === 'joined' ? undefined : 'Start listening first'
  function begin() {
    setTried(true)
    const topic = requested.topic.trim()
    if (topic !== '') start({ ...requested, topic }, as)
  }
  return (
    <Page>
      <PageHead
        title="Inspector"
        help="Join a channel as a user, and see the messages they receive."
        actions={
          <output>
            <Status tone={phases[phase].tone}>{phases[phase].text}</Status>
          </output>
        }
      />
      {problem && (
        <Alert
          variant={phase === 'refused' ? 'danger' : 'warning'}
          title={
            phase === 'refused'
              ? 'The channel is not joined'
              : 'The channel will be joined again as soon as possible'
          }
        >
          {problem}
        </Alert>
      )}
      <div className="inspect">
        <div className="inspect-side">
          <Form error={undefined} pending={phase === 'connecting'} onSubmit={runs ? stop : begin}>
            <Card
              title="Channel"
              end={
                <RolePicker
                  projectRef={projectRef}
                  own="service_role"
                  value={as}
                  verb="Join as"
                  onChange={(next) => {
                    if (runs) stop()
                    setAs(next)
                  }}
                />
              }
              footer={
                <Button
                  type="submit"
                  size="form"
                  variant={runs ? undefined : 'primary'}
                  icon={runs ? Square : Play}
                  disabledReason={denied}
                >
                  {runs ? 'Stop listening' : 'Start listening'}
                </Button>
              }
            >
              <ChannelForm
                requested={requested}
                locked={runs}
                tried={tried}
                onRequested={setRequested}
              />
            </Card>
          </Form>
          <SendCard
            denied={denied ?? silent}
            isPrivate={requested.isPrivate}
            onSend={async (event, payload) => (await channel()?.send(event, payload)) ?? false}
          />
          {requested.presence && (
            <PresenceCard
              present={seen.present}
              denied={denied ?? silent}
              onTrack={async (payload) => (await channel()?.track(payload)) ?? false}
              onUntrack={async () => (await channel()?.untrack()) ?? false}
            />
          )}
        </div>
        <MessageList heard={seen} joined={phase === 'joined'} onClear={clear} />
      </div>
    </Page>
  )
}

type Project = { ref: string; url: string }

/** Seconds before its end at which a token is asked for anew. */
const spare = 120

/** Watches one channel at a time, as whoever was chosen; ends with the page. */
function useInspection({ ref, url }: Project) {
  const [seen, setSeen] = useState<Seen>(unseen)
  const running = useRef<Inspection>(undefined)
  const stop = () => {
    const { current } = running
    running.current = undefined
    void current?.stop()
  }
  useEffect(() => stop, [])

  function start(requested: Requested, as: Impersonation | undefined): void {
    stop()
    running.current = new Inspection({
      url,
      requested,
      token: tokensFor(ref, url, as),
      onSeen: setSeen,
    })
    void running.current.start()
  }
  function clear(): void {
    if (running.current) running.current.clear()
    else setSeen((before) => ({ ...before, ...nothingHeard }))
  }
  return { seen, start, stop, clear, channel: () => running.current }
}

function tokensFor(ref: string, url: string, as: Impersonation | undefined) {
  const now = new Date()
  const role = as?.role ?? 'service_role'
  const issuer = `${url}/auth/v1`
  const own = { issuer, now, sessionId: crypto.randomUUID(), aal: 'aal1' } as const
  const claims = as?.claims ?? keyClaims('service_role', own)
  let last: { token: string; api_key: string; expires_at: number } | undefined
  return async () => {
    if (!last || last.expires_at - Date.now() / 1000 < spare) {
      last = await call(realtime.token, { ref, as: { role, claims } })
    }
    return last
  }
}

type Props = {
  present: Seen['present']
  denied: string | undefined
  onTrack: (payload: Record<string, unknown>) => Promise<boolean>
  onUntrack: () => Promise<boolean>
}

/** Who is in the channel, as they say of themselves. */
function PresenceCard({ present, denied, onTrack, onUntrack }: Props) {
  const [busy, setBusy] = useState(false)
  const keys = Object.keys(present)
  async function tell(work: () => Promise<boolean>) {
    setBusy(true)
    const taken = await work()
    setBusy(false)
    if (!taken) toast.error('The service rejected it')
  }
  return (
    <Card
      title="Presence"
      end={<span className="muted">{numberText(keys.length)} online</span>}
      footer={
        <>
          <Button
            size="form"
            busy={busy}
            disabledReason={denied}
            onClick={() => void tell(onUntrack)}
          >
            Leave presence
          </Button>
          <Button
            size="form"
            busy={busy}
            disabledReason={denied}
            onClick={() => void tell(() => onTrack({ name: 'Inspector' }))}
          >
            Join presence
          </Button>
        </>
      }
    >
      {keys.length === 0 ? (
        <p className="muted">No one is present.</p>
      ) : (
        <ul className="inspect-present">
          {keys.map((key) => (
            <li key={key}>
              <b className="mono ell">{key}</b>
              <span className="mono muted">{JSON.stringify(present[key])}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

type SendCardProps = {
  /** Why nothing can be sent now. */
  denied: string | undefined
  isPrivate: boolean
  onSend: (event: string, payload: Record<string, unknown>) => Promise<boolean>
}

/** A broadcast to everybody in the channel. */
function SendCard({ denied, isPrivate, onSend }: SendCardProps) {
  const [event, setEvent] = useState('message')
  const [text, setText] = useState('{ "text": "Hello" }')
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const payload = objectFrom(text)
  async function send() {
    setTried(true)
    if (event.trim() === '' || !payload) return
    setBusy(true)
    const taken = await onSend(event.trim(), payload)
    setBusy(false)
    if (taken) toast.success('Broadcast sent')
    else toast.error('The service rejected the broadcast')
  }
  return (
    <Form error={undefined} pending={busy} onSubmit={() => void send()}>
      <Card
        title="Broadcast"
        footer={
          <Button type="submit" size="form" busy={busy} disabledReason={denied}>
            Send broadcast
          </Button>
        }
      >
        <div className="form-stack">
          <TextField
            label="Event"
            mono
            autoComplete="off"
            error={tried && event.trim() === '' ? 'A broadcast needs a name' : undefined}
            value={event}
            onChange={(change) => setEvent(change.target.value)}
          />
          <TextArea
            label="Payload"
            mono
            rows={3}
            help={
              isPrivate
                ? 'Clients that cannot write to a private channel get no error: nothing arrives.'
                : undefined
            }
            error={
              tried && !payload ? 'Enter a JSON object such as { "text": "Hello" }' : undefined
            }
            value={text}
            onChange={(change) => setText(change.target.value)}
          />
        </div>
      </Card>
    </Form>
  )
}
