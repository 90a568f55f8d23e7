import { randomUUID } from 'node:crypto'
import type { ServedFunction } from '#contract/functions/functions-internal'
import type { Output } from './worker.ts'

type Common = {
  id: string
  /** Milliseconds since 1970. */
  timestamp: number
  function_id: string
  execution_id: string
  deployment_id: string
  version: number
}

/** What a function wrote, when its worker began and ended, and each call of it. */
export type FunctionEvent =
  | (Common & {
      kind: 'log'
      event_type: 'Boot' | 'Log' | 'Shutdown'
      level: 'debug' | 'log' | 'info' | 'warning' | 'error'
      event_message: string
      /** Of the request that was being answered, where that is known. */
      request_id?: string
    })
  | (Common & {
      kind: 'invocation'
      status: number
      method: string
      /** Behind `/functions/v1`. */
      url: string
      execution_time_ms: number
      region: string
      /** Of the request that called it. */
      request_id: string
    })

/** Takes what happened over, without a wait. */
export type NoteEvent = (ref: string, event: FunctionEvent) => void

type Called = { ref: string; served: ServedFunction }

/** What every event of a function carries. */
export const common = ({ ref, served }: Called, executionId: string): Common => ({
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
  ...(output.requestId !== undefined && { request_id: output.requestId }),
})
