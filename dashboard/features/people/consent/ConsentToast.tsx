import { acceptAll, denyAll, openPrivacySettings } from '../../../session/telemetry/consent.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import './consent.css'

/** Fixed at the bottom until it is answered: it cannot be dismissed, and does not end by itself (requirements §2). */
export function ConsentToast() {
  return (
    <aside className="consent" aria-label="Privacy">
      <p>
        May we count which pages you use, and record errors? Nothing goes to advertisers, and
        everything works without it.
      </p>
      <div className="row">
        <Button onClick={() => void acceptAll()}>Accept</Button>
        <Button onClick={() => void denyAll()}>Opt out</Button>
        <Button variant="ghost" onClick={openPrivacySettings}>
          Privacy settings
        </Button>
      </div>
    </aside>
  )
}
