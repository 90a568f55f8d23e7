import { useState } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { TextField, TextArea } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { objectFrom } from './messages.ts'

type Props = {
  /** Why nothing can be sent now. */
  denied: string | undefined
  isPrivate: boolean
  onSend: (event: string, payload: Record<string, unknown>) => Promise<boolean>
}

/** A broadcast to everybody in the channel. */
export function SendCard({ denied, isPrivate, onSend }: Props) {
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
