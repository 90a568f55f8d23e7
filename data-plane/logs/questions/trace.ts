import { logLimits, type TraceQuestion } from '#contract/observability/logs'
import type { Statement } from '../engine/protocol.ts'
import type { Span } from '../files/days.ts'
import type { Source } from '../files/listing.ts'
import type { Kept } from '../log-store.ts'
import { createParameters, inSpan } from './conditions.ts'
import { eventColumns } from './rows.ts'
import { filesIn } from './slices.ts'

const hour = 3_600_000_000

export const traceSpan = ({ timestamp }: TraceQuestion, { since }: Kept): Span => ({
  from: Math.max(timestamp - hour, since),
  to: timestamp + hour + 1,
})

/** Every entry of one request, whatever wrote it. */
export function traceStatement(
  question: TraceQuestion,
  span: Span,
  sources: readonly Source[],
): Statement {
  const parameters = createParameters()
  const sql = `select distinct ${eventColumns} from entries
    where ${inSpan(parameters, span)} and "request_id" = ${parameters.add(question.request_id)}
      and "source" <> 'lost' order by "timestamp", "id" limit ${logLimits.page}`
  return { files: filesIn(sources, span), sql, parameters: parameters.values }
}
