import type { ReactNode } from 'react'
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary'
import { Alert } from './Alert.tsx'
import { Button } from './controls/Button.tsx'
import { CopyButton } from './controls/CopyButton.tsx'

type Props = {
  /** What the pane is, as "the assistant". */
  what: string
  onError: (error: unknown) => void
  children: ReactNode
}

/** Around a part of the window that may fail by itself: the rest goes on, and the part can be tried again. */
export function PaneBoundary({ what, onError, children }: Props) {
  return (
    <ErrorBoundary
      onError={onError}
      fallbackRender={(failure) => <FailedPane what={what} {...failure} />}
    >
      {children}
    </ErrorBoundary>
  )
}

/** What stands in place of a part that failed. */
export function FailedPane({ what, error, resetErrorBoundary }: FallbackProps & { what: string }) {
  const text = error instanceof Error ? error.message : String(error)
  return (
    <div className="error-note">
      <Alert
        variant="danger"
        title={`Something went wrong in ${what}`}
        action={
          <span className="row">
            <CopyButton text={text} what="error" />
            <Button onClick={resetErrorBoundary}>Try again</Button>
          </span>
        }
      >
        {text}
      </Alert>
    </div>
  )
}
