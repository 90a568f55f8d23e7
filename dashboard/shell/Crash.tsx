import type { FallbackProps } from 'react-error-boundary'
import { CallError } from '../api/client.ts'
import { asError, reportIdOf } from '../session/telemetry/error-report.ts'
import { knownEnvironment } from '../session/organization/mode.ts'
import { landing } from '../session/identity/return-to.ts'
import { supportHref } from '../session/support.ts'
import { ErrorScreen } from '../ui/ErrorScreen.tsx'

type Props = Pick<FallbackProps, 'error'> & { inside?: boolean }

/** The global error screen, around everything. */
export function Crash({ error: thrown, inside = false }: Props) {
  const error = asError(thrown)
  return (
    <ErrorScreen
      error={error}
      reference={error instanceof CallError ? error.requestId : reportIdOf(error)}
      supportHref={supportHref(error)}
      production={knownEnvironment() === 'production'}
      home={landing}
      inside={inside}
    />
  )
}
