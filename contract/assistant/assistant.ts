import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Named } from '../database/pg-meta-shapes.ts'
import { ProjectRef as ref } from '../values.ts'

/** Messages of a chat that are kept, and that the model is shown at most (requirements §7, §9). */
export const keptMessages = 20
/** The model's name while an operator chose no other (requirements §3). */
export const defaultModel = 'gpt-5'
/** Characters of one part of a message. */
export const longestPart = 60_000
/** Rows of a result that a chat keeps and may show the model; people see them all in the SQL editor. */
export const keptRows = 50

const text = z.string().max(longestPart)
const RunResult = z.object({
  sql: text,
  /** What Postgres refused it with. */
  error: z.string().max(4_000).optional(),
  columns: z.array(z.string().max(200)).max(200).default([]),
  rows: z
    .array(z.array(z.string().max(500).nullable()).max(200))
    .max(keptRows)
    .default([]),
})

/** What a message is made of. Results are shown to the model only as far as the organization opted in. */
export const MessagePart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text }),
  z.object({ type: z.literal('snippet'), name: z.string().max(200), sql: text }),
  z.object({ type: z.literal('table'), schema: Named, name: Named }),
  z.object({ type: z.literal('result'), result: RunResult }),
])
export type MessagePart = z.output<typeof MessagePart>

export const AssistantMessage = z.object({
  role: z.enum(['user', 'assistant']),
  parts: z.array(MessagePart).max(50),
})
export type AssistantMessage = z.output<typeof AssistantMessage>

/** One line of an answer. After `error` nothing follows; an answer without `done` broke off. */
export type AssistantEvent =
  | { type: 'text'; text: string }
  /** The model looks something up; `what` says it for people. */
  | { type: 'tool'; what: string }
  | { type: 'error'; code: string; message: string }
  /** `cut`: it was as long as an answer may be. */
  | { type: 'done'; cut: boolean }

export const assistant = {
  status: endpoint('assistant.status', 'GET /platform/ai/status', {
    needs: 'signed-in',
    input: z.object({}),
    returns: z.object({
      /** A model is configured. Without one no question is answered. */
      configured: z.boolean(),
      /** Names of the models to choose from, the first unless told. */
      models: z.array(z.string()),
    }),
  }),
  /** Answers the last message with one `AssistantEvent` a line. Ending the request ends the answer. */
  ask: endpoint('assistant.ask', 'POST /platform/ai/assistant', {
    needs: inProject('tenant:Sql:Admin:Read', 'tables'),
    raw: true,
    perMinute: 30,
    input: z.object({
      ref,
      model: z.string().max(200).optional(),
      messages: z
        .array(AssistantMessage)
        .min(1)
        .max(keptMessages)
        .refine((list) => list.at(-1)?.role === 'user', 'The last message must be the question'),
    }),
    returns: z.unknown(),
  }),
}
