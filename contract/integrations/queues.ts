import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Instant, ProjectRef as ref, printable, wholeNumber } from '../values.ts'

export const queueTypes = ['basic', 'unlogged', 'partitioned'] as const
export type QueueType = (typeof queueTypes)[number]

/** Bytes of a name: with what the tables and indexes add it has to fit into 63. */
export const longestQueueName = 47
/** What pgmq itself refuses in a name. */
const refusedInNames = /\$|;|--|'/

/** Why a queue cannot have this name; undefined where it can. */
export function queueNameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'Enter a name'
  if (new TextEncoder().encode(name).length > longestQueueName)
    return `A name has at most ${longestQueueName} bytes`
  if (refusedInNames.test(name)) return "A name cannot contain $ ; -- or '"
  if (!printable.test(name)) return 'A name cannot contain control characters'
  // Addresses would lose them.
  if (name === '.' || name === '..') return 'A name cannot be . or ..'
  return undefined
}

/** Of a queue that is there, whatever it is called. */
const name = z.string().min(1).max(200)
/** A bigint, as text. */
const id = z
  .string()
  .regex(/^\d{1,19}$/, 'must be a number')
  .meta({ format: 'int64' })

/** Messages that are counted one by one; a queue that has more is estimated. */
export const exactQueueLimit = 10_000
export const Count = z.object({ count: z.number(), is_estimate: z.boolean() })
export type Count = z.infer<typeof Count>

/** Queues that are listed at most. */
export const maxQueues = 500

export const Queue = z.object({
  name: z.string(),
  type: z.enum(queueTypes),
  created: Instant,
  /** Null: the table of the queue was dropped without the queue. */
  table_id: z.number().nullable(),
  archive_id: z.number().nullable(),
  /** Whether row level security is enabled on the queue and its archive. */
  rls: z.boolean(),
  /** Policies of both tables. */
  policies: z.number(),
  /** Messages in the queue, whatever their state. */
  length: Count,
  /** When the oldest message was sent. */
  oldest: Instant.nullable(),
  /** Messages ever sent, by the numbers that were given out: a send that was rolled back counts too. Null: not readable. */
  sent: id.nullable(),
})
export type Queue = z.infer<typeof Queue>

/** Roles that reach queues over the data API. */
export const queueRoles = ['anon', 'authenticated', 'service_role'] as const
export const queueTables = ['queue', 'archive'] as const
export const queuePrivileges = ['select', 'insert', 'update', 'delete'] as const
export const QueueGrant = z.object({
  role: z.enum(queueRoles),
  table: z.enum(queueTables),
  privilege: z.enum(queuePrivileges),
})
export type QueueGrant = z.infer<typeof QueueGrant>

export const QueueDetail = Queue.extend({
  /** Those that the next read can take. */
  available: Count,
  archived: Count,
  /** What each role may do with the tables, by whatever way it got it. */
  grants: z.array(QueueGrant),
  /** Of a partitioned queue: messages or an interval of time. */
  partitions: z.object({ interval: z.string(), retention: z.string() }).nullable(),
})
export type QueueDetail = z.infer<typeof QueueDetail>

/**
 * available: the next read can take it. scheduled: not read yet, and not before its time. invisible: read, and given again
 * when its time is over, unless it is deleted or archived before.
 */
export const messageStates = ['available', 'scheduled', 'invisible', 'archived'] as const
export type MessageState = (typeof messageStates)[number]

export const Message = z.object({
  id,
  state: z.enum(messageStates),
  /** How often it was read. */
  reads: z.number(),
  sent: Instant,
  /** From when on it can be read; of an archived message, when it was archived. */
  at: Instant,
  /** The beginning of the JSON; null: too large to be shown in a list. */
  preview: z.string().nullable(),
  /** As stored. */
  bytes: z.number(),
})
export type Message = z.infer<typeof Message>

export const MessageDetail = Message.extend({
  /** JSON; null: larger than `longestMessage`. */
  message: z.string().nullable(),
  headers: z.string().nullable(),
})
export type MessageDetail = z.infer<typeof MessageDetail>

/** Characters of JSON that are sent, and shown, here. */
export const longestMessage = 500_000
/** Messages that one call changes. */
export const maxMessages = 100
/** Seconds: ten years. */
export const longestDelay = 315_360_000

const delay = wholeNumber(0, longestDelay)
const json = z.string().min(1).max(longestMessage)
const ByRef = z.object({ ref })
const ByName = ByRef.extend({ name })
const ByIds = ByName.extend({ ids: z.array(id).min(1).max(maxMessages) })
/** How many of the messages were there still. */
const Changed = z.object({ changed: z.number() })
const base = '/platform/pg-meta/:ref/queues' as const
const reads = inProject('tenant:Sql:Admin:Read', 'queues')
const writes = inProject('tenant:Sql:Admin:Write', 'queues')

/**
 * Queues of messages in a project's database (pgmq). A name can be anything that Postgres takes, also what an address cannot
 * carry, so it is part of the query or the body. Messages are JSON as text: numbers stay as they were written.
 */
export const queues = {
  list: endpoint('queues.list', `GET ${base}`, {
    needs: reads,
    input: ByRef,
    returns: z.object({
      /** Whether the database has the extension; without it there are no queues. */
      installed: z.boolean(),
      /** Whether the functions for the data API are there (the schema pgmq_public). */
      functions: z.boolean(),
      queues: z.array(Queue),
    }),
  }),
  create: endpoint('queues.create', `POST ${base}`, {
    needs: writes,
    status: 201,
    input: ByRef.extend({
      name: z.string().refine((text) => !queueNameProblem(text), {
        error: ({ input }) => queueNameProblem(String(input)) ?? 'cannot be',
      }),
      type: z.enum(queueTypes).default('basic'),
      rls: z.boolean().default(true),
      /** Of partitioned queues: a number of messages, or an interval of time. */
      partition_interval: z.string().trim().min(1).max(100).default('10000'),
      retention_interval: z.string().trim().min(1).max(100).default('100000'),
    }),
    returns: z.object({ name: z.string() }),
  }),
  get: endpoint('queues.get', `GET ${base}/queue`, {
    needs: reads,
    input: ByName,
    returns: QueueDetail,
  }),
  /** Drops the queue and its archive, with every message. */
  drop: endpoint('queues.drop', `DELETE ${base}/queue`, {
    needs: writes,
    input: ByName,
    returns: z.object({ name: z.string() }),
  }),
  /** Deletes every message of the queue; the archive stays. */
  purge: endpoint('queues.purge', `POST ${base}/queue/purge`, {
    needs: writes,
    input: ByName,
    returns: Changed,
  }),
  /** Row level security of the queue and its archive. */
  secure: endpoint('queues.secure', `PUT ${base}/queue/rls`, {
    needs: writes,
    input: ByName.extend({ rls: z.boolean() }),
    returns: z.object({ rls: z.boolean() }),
  }),
  grant: endpoint('queues.grant', `PUT ${base}/queue/grants`, {
    needs: writes,
    input: ByName.extend({ ...QueueGrant.shape, granted: z.boolean() }),
    returns: z.object({ granted: z.boolean() }),
  }),
  /** Makes the functions that the data API exposes, or drops them. Which schemas it exposes is a setting of the data API. */
  functions: endpoint('queues.functions', `PUT ${base}/functions`, {
    needs: writes,
    input: ByRef.extend({ functions: z.boolean() }),
    returns: z.object({ functions: z.boolean() }),
  }),
  /** By their numbers; looking changes nothing. */
  messages: endpoint('queues.messages', `GET ${base}/messages`, {
    needs: reads,
    input: ByName.extend({
      /** Without: those of the queue, whatever their state. */
      state: z.enum(messageStates).optional(),
      order: z.enum(['oldest', 'newest']).default('oldest'),
      /** Those that come after this one in the order. */
      after: id.optional(),
      limit: wholeNumber(1, maxMessages).default(50),
    }),
    returns: z.object({
      messages: z.array(Message),
      /**
       * What to give as `after` for the next page; null at the end. In a long queue a page of one state may have fewer messages
       * than its limit, or none, and others follow.
       */
      next: id.nullable(),
    }),
  }),
  message: endpoint('queues.message', `GET ${base}/message`, {
    needs: reads,
    input: ByName.extend({ id, from: z.enum(queueTables).default('queue') }),
    returns: MessageDetail,
  }),
  send: endpoint('queues.send', `POST ${base}/messages`, {
    needs: writes,
    status: 201,
    input: ByName.extend({
      message: json,
      headers: json.nullable().default(null),
      /** Seconds. */
      delay: delay.default(0),
    }),
    returns: z.object({ id }),
  }),
  /** Nobody reads them for so many seconds from now; 0: they can be read at once. */
  postpone: endpoint('queues.postpone', `POST ${base}/messages/postpone`, {
    needs: writes,
    input: ByIds.extend({ seconds: delay }),
    returns: Changed,
  }),
  archive: endpoint('queues.archive', `POST ${base}/messages/archive`, {
    needs: writes,
    input: ByIds,
    returns: Changed,
  }),
  /** Sends them to another queue with their headers, and deletes them here, in one transaction. */
  move: endpoint('queues.move', `POST ${base}/messages/move`, {
    needs: writes,
    input: ByIds.extend({ to: name }),
    returns: Changed,
  }),
  /** Sends archived messages again, as new ones, and deletes them from the archive. */
  restore: endpoint('queues.restore', `POST ${base}/messages/restore`, {
    needs: writes,
    input: ByIds,
    returns: Changed,
  }),
  remove: endpoint('queues.remove', `POST ${base}/messages/delete`, {
    needs: writes,
    input: ByIds.extend({ from: z.enum(queueTables).default('queue') }),
    returns: Changed,
  }),
}
