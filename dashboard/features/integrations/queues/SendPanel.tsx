import { useState } from 'react'
import { longestDelay, longestMessage, queues } from '#contract/integrations/queues'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { TextArea, TextField } from '../../../ui/controls/TextField.tsx'
import { FormPanel } from '../../../ui/floats/FormPanel.tsx'
import { jsonProblem } from '../../../ui/grid/json-text.ts'
import { toast } from '../../../ui/floats/toast.ts'
import { delayProblem } from './delay.ts'
import { forgetMessages } from './queries.ts'

type Props = { projectRef: string; name: string; onClose: () => void }

/** Sends one message. */
export function SendPanel({ projectRef, name, onClose }: Props) {
  const [message, setMessage] = useState('{}')
  const [headers, setHeaders] = useState('')
  const [delay, setDelay] = useState('0')
  const [tried, setTried] = useState(false)
  const send = useDatabaseCall(queues.send, {
    onSuccess: async ({ id }) => {
      toast.success(`Message ${id} is sent`)
      onClose()
      await forgetMessages()
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
