import { Button } from '../../ui/controls/Button.tsx'
import { Dialog } from '../../ui/floats/Dialog.tsx'

/** What a wrong clock disturbs and how to mend it. `skew` is how far it is ahead, in ms. */
export function ClockDialog({ skew, onClose }: { skew: number; onClose: () => void }) {
  const minutes = Math.round(Math.abs(skew) / 60_000)
  return (
    <Dialog
      open
      onClose={onClose}
      title="Your clock is off"
      footer={
        <Button size="form" variant="primary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <p>
        This computer's clock is {minutes} minutes {skew > 0 ? 'ahead of' : 'behind'} the server's.
      </p>
      <p className="muted">
        Sessions and links in emails are valid for a limited time. With a wrong clock they can
        expire too early, and the dashboard shows the wrong times. Turn on automatic time in the
        settings of your system, then reload this page.
      </p>
    </Dialog>
  )
}
