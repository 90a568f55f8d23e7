import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { byId, byRef, listed, metaFlag as flag } from './pg-meta-inputs.ts'
import { inProject } from '../permissions.ts'
import { Named, sqlText } from './pg-meta-shapes.ts'

export const enabledModes = ['ORIGIN', 'REPLICA', 'ALWAYS', 'DISABLED'] as const
export const activations = ['BEFORE', 'AFTER', 'INSTEAD OF'] as const
export const triggerEvents = ['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE'] as const
export const orientations = ['ROW', 'STATEMENT'] as const

/** A trigger as the public metadata API describes it, with what it takes to write it anew (from `columns` on). */
export const DatabaseTrigger = z.object({
  id: z.number(),
  table_id: z.number(),
  enabled_mode: z.enum(enabledModes),
  function_args: z.array(z.string()),
  name: z.string(),
  table: z.string(),
  schema: z.string(),
  condition: z.string().nullable(),
  orientation: z.enum(orientations),
  activation: z.enum(activations),
  events: z.array(z.enum(triggerEvents)),
  function_name: z.string(),
  function_schema: z.string(),
  /** Of UPDATE OF; empty for any column. */
  columns: z.array(z.string()),
  /** Names of the transition tables. */
  old_table: z.string().nullable(),
  new_table: z.string().nullable(),
  /** Of a constraint trigger, which can be deferred and cannot be replaced; `from` is a second table it is about. */
  constraint: z
    .object({
      deferrable: z.boolean(),
      initially_deferred: z.boolean(),
      from: z.object({ schema: z.string(), table: z.string() }).nullable(),
    })
    .nullable(),
  definition: z.string(),
})
export type DatabaseTrigger = z.infer<typeof DatabaseTrigger>

export const eventTriggerEvents = [
  'ddl_command_start',
  'ddl_command_end',
  'table_rewrite',
  'sql_drop',
  'login',
] as const

export const EventTrigger = z.object({
  id: z.number(),
  name: z.string(),
  event: z.enum(eventTriggerEvents),
  /** Command tags it is limited to; empty for all. */
  tags: z.array(z.string()),
  enabled_mode: z.enum(enabledModes),
  function_name: z.string(),
  function_schema: z.string(),
  owner: z.string(),
  /** The extension it came with. */
  extension: z.string().nullable(),
})
export type EventTrigger = z.infer<typeof EventTrigger>

const NewTrigger = z.object({
  name: Named,
  schema: Named.default('public'),
  table: Named,
  function_schema: Named.default('public'),
  function_name: Named,
  function_args: z.array(sqlText(10_000)).max(100).default([]),
  activation: z.enum(activations),
  events: z.array(z.enum(triggerEvents)).min(1).max(4),
  orientation: z.enum(orientations).default('STATEMENT'),
  condition: sqlText(100_000).nullish(),
})
export type NewTrigger = z.output<typeof NewTrigger>

const reads = inProject('tenant:Sql:Admin:Read', 'triggers')
const writes = inProject('tenant:Sql:Admin:Write', 'triggers')

export const databaseTriggers = {
  list: endpoint('pg-meta.triggers', 'GET /platform/pg-meta/:ref/triggers', {
    needs: reads,
    input: listed,
    returns: z.array(DatabaseTrigger),
  }),
  get: endpoint('pg-meta.trigger', 'GET /platform/pg-meta/:ref/triggers/:id', {
    needs: reads,
    input: byId,
    returns: DatabaseTrigger,
  }),
  create: endpoint('pg-meta.create-trigger', 'POST /platform/pg-meta/:ref/triggers', {
    needs: writes,
    input: byRef.extend(NewTrigger.shape),
    returns: DatabaseTrigger,
  }),
  update: endpoint('pg-meta.update-trigger', 'PATCH /platform/pg-meta/:ref/triggers/:id', {
    needs: writes,
    input: byId.extend({ name: Named.optional(), enabled_mode: z.enum(enabledModes).optional() }),
    returns: DatabaseTrigger,
  }),
  remove: endpoint('pg-meta.delete-trigger', 'DELETE /platform/pg-meta/:ref/triggers/:id', {
    needs: writes,
    input: byId.extend({ cascade: flag }),
    returns: DatabaseTrigger,
  }),
  /** Triggers of the whole database, which fire at commands and not at rows. */
  events: endpoint('pg-meta.event-triggers', 'GET /platform/pg-meta/:ref/event-triggers', {
    needs: reads,
    input: byRef,
    /** `can_create`: the caller's role is one that Postgres lets make them. */
    returns: z.object({ event_triggers: z.array(EventTrigger), can_create: z.boolean() }),
  }),
}
