import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import { Popover } from '../../../ui/floats/Popover.tsx'

const FeedbackForm = lazy(() =>
  import('./FeedbackForm.tsx').then((m) => ({ default: m.FeedbackForm })),
)

type Props = { slug: string | undefined; projectRef: string | undefined }

/** An idea or an opinion, from any page; what was typed stays until it is sent or cleared. */
export function FeedbackButton(where: Props) {
  const [open, setOpen] = useState(false)
  const [message, setMessage] = useState('')
  return (
    <Popover
      label="Feedback"
      align="end"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button className="wide-only" variant="ghost">
          Feedback
        </Button>
      }
    >
      <Suspense>
        <FeedbackForm
          {...where}
          message={message}
          onMessage={setMessage}
          onDone={() => setOpen(false)}
        />
      </Suspense>
    </Popover>
  )
}
