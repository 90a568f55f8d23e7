import { useState } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { numberText } from '../../../ui/text/number.ts'
import { toast } from '../../../ui/floats/toast.ts'
import type { Seen } from './inspection.ts'

type Props = {
  present: Seen['present']
  denied: string | undefined
  onTrack: (payload: Record<string, unknown>) => Promise<boolean>
  onUntrack: () => Promise<boolean>
}

/** Who is in the channel, as they say of themselves. */
export function PresenceCard({ present, denied, onTrack, onUntrack }: Props) {
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
