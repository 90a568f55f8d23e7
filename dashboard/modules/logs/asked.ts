import { logs } from '#contract/observability/logs'
import { CallError, q } from '../../api/client.ts'
import { shouldRetry } from '../../api/retry.ts'

/** What a platform cannot do it cannot do the next moment either. */
const retry = (failures: number, error: Error) =>
  !(error instanceof CallError && error.reason === 'logs_engine_missing') &&
  shouldRetry(failures, error)

/** An answer about a time that has passed stays as it is: who wants a newer one says so. */
export const asked = {
  staleTime: Infinity,
  gcTime: 60_000,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  retry,
} as const

/** What can be asked of the logs of a project. */
export const aboutQuery = (ref: string) => ({ ...q(logs.about, { ref }), retry })
