import { randomUUID } from 'node:crypto'
import type { FunctionEvent } from '#contract/functions/functions-events'
import type { ServedFunction } from '#contract/functions/functions-internal'
import type { Output } from './worker.ts'

type Called = { ref: string; served: ServedFunction }

/** What every event of a function carries. */
export const common = ({ ref, served }: Called, executionId: string) => ({
  id: randomUUID(),
  timestamp: Date.now(),
  function_id: served.id,
  execution_id: executionId,
  deployment_id: deploymentOf({ ref, served }),
  version: served.version,
})

export const deploymentOf = ({ ref, served }: Called): string =>
  `${ref}_${served.id}_${served.version}`

export const eventOf = (called: Called, executionId: string, output: Output): FunctionEvent => ({
  ...common(called, executionId),
  kind: 'log',
  event_type: output.type,
  level: output.level,
  event_message: output.message,
})
