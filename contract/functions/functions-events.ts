import { z } from 'zod'

const Common = z.object({
  id: z.string(),
  /** Milliseconds since 1970. */
  timestamp: z.number(),
  function_id: z.string(),
  execution_id: z.string(),
  deployment_id: z.string(),
  version: z.number(),
})

/** What a function wrote, when its worker began and ended, and each call of it. */
export const FunctionEvent = z.discriminatedUnion('kind', [
  Common.extend({
    kind: z.literal('log'),
    event_type: z.enum(['Boot', 'Log', 'Shutdown']),
    level: z.enum(['debug', 'log', 'info', 'warning', 'error']),
    event_message: z.string(),
  }),
  Common.extend({
    kind: z.literal('invocation'),
    status: z.number(),
    method: z.string(),
    url: z.string(),
    execution_time_ms: z.number(),
    region: z.string(),
    /** Of the request that called it. */
    request_id: z.string().optional(),
  }),
])
export type FunctionEvent = z.infer<typeof FunctionEvent>

/** What is asked for of a project's events; the newest come first. */
export const WantedEvents = z.object({
  function_id: z.string().optional(),
  kind: z.enum(['log', 'invocation']).optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
})
export type WantedEvents = z.infer<typeof WantedEvents>
