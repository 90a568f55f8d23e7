import { RotateCw } from 'lucide-react'
import { Alert } from './Alert.tsx'
import { Button } from './controls/Button.tsx'
import { CopyButton } from './controls/CopyButton.tsx'

type Props = {
  /** What could not be loaded, as "projects". */
  what: string
  error: Error
  onRetry?: (() => void) | undefined
}

/** A part of a page that failed: what, why, try again, copy. */
export function ErrorNote({ what, error, onRetry }: Props) {
  return (
    <div className="error-note">
      <Alert
        variant="danger"
        title={`Could not load ${what.toLowerCase()}`}
        action={
          <span className="row">
            <CopyButton text={error.message} what="error" />
            {onRetry && (
              <Button icon={RotateCw} onClick={onRetry}>
                Try again
              </Button>
            )}
          </span>
        }
      >
        {error.message}
      </Alert>
    </div>
  )
}
