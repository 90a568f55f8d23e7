import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Instant, ProjectRef as ref, wholeNumber } from '../values.ts'
import { ByHook } from './webhooks.ts'

export const deliveryStates = ['waiting', 'delivered', 'dead'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Bounds of what is chosen per hook. */
export const hookLimits = {
  attempts: 20,
  /** Seconds before the second attempt. */
  firstWait: 3600,
  concurrency: 32,
  orderBy: 8,
  replay: 10_000,
  /** Calls of a state that are counted for a list of hooks: as many, or more. */
  counted: 10_000,
} as const

/** A bigint, as text. */
const id = z
  .string()
  .regex(/^\d{1,19}$/, 'must be a number')
  .meta({ format: 'int64' })

const HookSettings = z.object({
  /** Of a call in all; 1: it is not tried again. */
  max_attempts: wholeNumber(1, hookLimits.attempts),
  /** Seconds before the second attempt; the wait doubles with each. */
  first_wait: wholeNumber(1, hookLimits.firstWait),
  /** Calls at once. */
  concurrency: wholeNumber(1, hookLimits.concurrency),
  /** Columns by whose values calls keep their order; none: all calls do. Null: no order. */
  order_by: z.array(z.string().min(1).max(63)).max(hookLimits.orderBy).nullable(),
  /** While it is, calls wait. */
  paused: z.boolean(),
})
export type HookSettings = z.infer<typeof HookSettings>

export const usualHookSettings: HookSettings = {
  max_attempts: 1,
  first_wait: 5,
  concurrency: 32,
  order_by: null,
  paused: false,
}

const Outcome = z.object({
  /** Null: nobody has answered. */
  status_code: z.number().nullable(),
  timed_out: z.boolean(),
  error_msg: z.string().nullable(),
})

export const Hook = z.object({
  table_id: z.number(),
  name: z.string(),
  settings: HookSettings,
  signed: z.boolean(),
  /** At most `hookLimits.counted`, as the dead ones. */
  waiting: z.number(),
  dead: z.number(),
  /** Of the last hundred calls that have ended: how many, and how many of them are dead. */
  ended: z.number(),
  failed: z.number(),
  /** Its newest attempt. */
  last: Outcome.extend({ at: Instant }).nullable(),
})
export type Hook = z.infer<typeof Hook>

export const Delivery = z.object({
  id,
  /** What receivers know it by (`webhook-id`). */
  webhook_id: z.string(),
  table_id: z.number(),
  name: z.string(),
  method: z.string(),
  url: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.number(),
  created_at: Instant,
  ended_at: Instant.nullable(),
  /** When it is tried next; null once it has ended, and while it waits for another of its key. */
  due_at: Instant.nullable(),
  /** What its last attempt came to. */
  last: Outcome.nullable(),
})
export type Delivery = z.infer<typeof Delivery>

export const DeliveryAttempt = Outcome.extend({
  attempt: z.number(),
  started_at: Instant,
  duration_ms: z.number(),
  headers: z.record(z.string(), z.string()).nullable(),
  /** The beginning of what was answered. */
  content: z.string().nullable(),
})
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>

const DeliveryDetails = Delivery.extend({
  headers: z.record(z.string(), z.unknown()),
  body: z.string().nullable(),
  /** The newest first. */
  tries: z.array(DeliveryAttempt),
})
export type DeliveryDetails = z.infer<typeof DeliveryDetails>

const ByRef = z.object({ ref })
const base = '/platform/pg-meta/:ref/webhooks' as const
const sees = inProject('tenant:Sql:Read:Select', '*')
const changes = inProject('tenant:Sql:Admin:Write', 'tables')

/** Calls that have ended, by what they came to and when they were asked for. */
const moment = z.iso.datetime({ offset: true, error: 'must be a moment with its zone' }).optional()
const Ended = z.object({
  state: z.enum(['delivered', 'dead']).optional(),
  from: moment,
  to: moment,
})

/** What webhooks have called, and how they do. */
export const webhookCalls = {
  /** `current`: the database has what this needs; one whose webhooks an earlier version enabled has it once they are enabled again. */
  hooks: endpoint('webhook-calls.hooks', `GET ${base}`, {
    needs: sees,
    input: ByRef,
    returns: z.object({ current: z.boolean(), hooks: z.array(Hook) }),
  }),
  /** What is left out stays as it is. */
  settings: endpoint('webhook-calls.settings', `PATCH ${base}`, {
    needs: changes,
    input: ByHook.extend(HookSettings.partial().shape),
    returns: HookSettings,
  }),
  /** Newest first. */
  deliveries: endpoint('webhook-calls.deliveries', `GET ${base}/deliveries`, {
    needs: sees,
    input: ByHook.partial({ table_id: true, name: true }).extend({
      state: z.enum(deliveryStates).optional(),
      /** Those before this one. */
      before: id.optional(),
      limit: wholeNumber(1, 100).default(50),
    }),
    returns: z.object({ deliveries: z.array(Delivery) }),
  }),
  delivery: endpoint('webhook-calls.delivery', `GET ${base}/deliveries/:id`, {
    needs: sees,
    input: ByRef.extend({ id }),
    returns: DeliveryDetails,
  }),
  /** How many calls `replay` would have made again: at most `hookLimits.replay`. */
  replayable: endpoint('webhook-calls.replayable', `GET ${base}/replayable`, {
    needs: sees,
    input: ByHook.extend(Ended.shape),
    returns: z.object({ count: z.number() }),
  }),
  /**
   * Has calls made again that have ended, with the same `webhook-id`: one by its id, or those of a hook that were asked for in a
   * range. Calls that wait already are not made twice. The oldest `hookLimits.replay` at once.
   */
  replay: endpoint('webhook-calls.replay', `POST ${base}/replay`, {
    needs: changes,
    input: ByHook.partial({ table_id: true, name: true }).extend({
      id: id.optional(),
      ...Ended.shape,
    }),
    returns: z.object({ replayed: z.number() }),
  }),
  /** What a hook would send for a row that is there; null: the table has none. */
  preview: endpoint('webhook-calls.preview', `GET ${base}/preview`, {
    needs: sees,
    input: ByRef.extend({
      table_id: wholeNumber(1, 4_294_967_295),
      event: z.enum(['INSERT', 'UPDATE', 'DELETE']).default('INSERT'),
    }),
    returns: z.object({ body: z.string().nullable() }),
  }),
  /** Has a call made with a row that is there, as if it had just been inserted. */
  test: endpoint('webhook-calls.test', `POST ${base}/test`, {
    needs: changes,
    perMinute: 30,
    input: ByHook,
    returns: z.object({ id }),
  }),
}
