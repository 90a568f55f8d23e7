import type { FallbackProps } from 'react-error-boundary'
import { CallError } from '../api/client.ts'
import { landing } from '../session/return-to.ts'
import { supportHref } from '../session/support.ts'
import { ErrorScreen } from '../ui/ErrorScreen.tsx'

type Props = Pick<FallbackProps, 'error'> & { inside?: boolean }

/** The global error screen, around everything. */
export function Crash({ error, inside = false }: Props) {
  const known = error instanceof Error ? error : new Error(String(error))
  return (
    <ErrorScreen
      error={known}
      reference={known instanceof CallError ? known.requestId : undefined}
      supportHref={supportHref(known)}
      production={import.meta.env.PROD}
      home={landing}
      inside={inside}
    />
  )
}
