import { RefreshCw } from 'lucide-react'
import { Button } from '../ui/controls/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'

/** A page whose code could not be loaded: after a deploy the server has the new one only. */
export function MissingPart() {
  return (
    <main className="main not-found" id="main">
      <EmptyState
        icon={RefreshCw}
        title="A new version of the dashboard is available"
        action={
          <Button variant="primary" onClick={() => location.reload()}>
            Reload
          </Button>
        }
      >
        This page could not be loaded with the version that is open. If reloading does not help,
        check your network.
      </EmptyState>
    </main>
  )
}
