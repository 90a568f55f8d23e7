import { Link } from '@tanstack/react-router'
import { support } from '#contract/people/support'
import { useCall } from '../../../api/client.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { TextArea } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { AttachmentField, useAttachments } from './AttachmentField.tsx'
import './support.css'

type Props = {
  slug: string | undefined
  projectRef: string | undefined
  /** Kept by the button, so that closing the panel loses nothing. */
  message: string
  onMessage: (message: string) => void
  onDone: () => void
}

export function FeedbackForm({ slug, projectRef, message, onMessage, onDone }: Props) {
  const attachments = useAttachments()
  const clear = () => {
    onMessage('')
    attachments.clear()
  }
  const send = useCall(support.send, {
    onSuccess: () => {
      toast.success('Feedback sent. Thank you!')
      clear()
      onDone()
    },
  })
  const empty = message.trim() === ''
  return (
    <Form
      className="feedback"
      error={send.error?.message}
      pending={send.isPending}
      onSubmit={() =>
        send.mutate({
          category: 'Feedback',
          subject: 'Feedback',
          message,
          path: location.pathname,
          attachment_ids: attachments.files.map(({ id }) => id),
          ...(slug ? { organization_slug: slug } : {}),
          ...(projectRef ? { project_ref: projectRef } : {}),
        })
      }
    >
      <TextArea
        label="What would make Plinth better for you?"
        rows={5}
        value={message}
        maxLength={20_000}
        onChange={(event) => onMessage(event.target.value)}
      />
      <AttachmentField attachments={attachments} />
      <p className="help">
        Something is broken?{' '}
        <Link to="/support/new" onClick={onDone}>
          Ask for help
        </Link>{' '}
        instead.
      </p>
      <div className="acts">
        <Button size="form" onClick={clear} disabled={empty && attachments.files.length === 0}>
          Clear
        </Button>
        <Button
          type="submit"
          size="form"
          variant="primary"
          busy={send.isPending}
          disabledReason={empty ? 'Write something first' : undefined}
        >
          Send feedback
        </Button>
      </div>
    </Form>
  )
}
