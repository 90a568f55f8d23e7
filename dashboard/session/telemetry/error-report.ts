import { serviceIds } from '#contract/people/consent'
import { telemetry as api } from '#contract/operations/telemetry'
import { call, CallError } from '../../api/client.ts'
import { hasConsented } from './consent.ts'
import { isMissingPart } from '../new-version.ts'
import { reportingId } from '../identity/user-hash.ts'

const ids = new WeakMap<Error, string>()
const reported = new WeakSet<Error>()

export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown))

/** The id of the report about an error: the same one whenever it is asked for. */
export function reportIdOf(error: Error): string {
  const id = ids.get(error) ?? crypto.randomUUID()
  ids.set(error, id)
  return id
}

/** Marks what a boundary caught, logs its report id and stack, and, with consent, sends it once (requirements §8). */
export function reportCrash(thrown: unknown): void {
  const error = asError(thrown)
  // A call that was refused, or a part that a deploy took away, is no crash: the page says what to do.
  if (reported.has(error) || error instanceof CallError || isMissingPart(error)) return
  reported.add(error)
  const id = reportIdOf(error)
  Object.assign(error, { globalErrorBoundary: true })
  console.error(`Error report ${id}`, error.stack ?? error.message)
  if (!hasConsented(serviceIds.errorReports)) return
  call(api.errorReport, {
    report_id: id,
    message: `${error.name}: ${error.message}`.slice(0, 1000),
    stack: (error.stack ?? '').slice(0, 8000),
    pathname: location.pathname.slice(0, 1000),
    user: reportingId(),
  }).catch((failure: unknown) => console.log('Failed to send the error report', failure))
}
