import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { stepCountIs, streamText } from 'ai'
import type { AssistantEvent } from '#contract/assistant/assistant'
import type { Table } from '#contract/database/pg-meta-shapes'
import type { ModelMessage } from './prompt.ts'
import { schemaTools, toolWords } from './tools.ts'

/** Where answers come from: any server that speaks the OpenAI protocol. */
export type ModelServer = { apiKey?: string | undefined; baseUrl: string; models: string[] }

export type Question = {
  model: string
  system: string
  messages: ModelMessage[]
  /** Undefined: the organization shows the model nothing, so there is nothing to look up. */
  tables: readonly Table[] | undefined
  signal: AbortSignal
}

/** Turns of looking things up before the model has to answer. */
const maxSteps = 6
/** Characters of one answer. The protocol's own limits have other names at every provider. */
const longestAnswer = 60_000

/**
 * Asks a model and gives its answer as it comes. What `signal` ends, ends quietly; every other failure is thrown as the
 * library made it.
 */
export async function* askModel(
  server: ModelServer,
  { model, system, messages, tables, signal }: Question,
): AsyncGenerator<AssistantEvent> {
  const provider = createOpenAICompatible({
    name: 'model',
    baseURL: server.baseUrl,
    ...(server.apiKey ? { apiKey: server.apiKey } : {}),
  })
  const { fullStream } = streamText({
    model: provider.chatModel(model),
    system,
    messages,
    ...(tables ? { tools: schemaTools(tables), stopWhen: stepCountIs(maxSteps) } : {}),
    // The person presses Retry; a second question behind their back costs twice and doubles the wait.
    maxRetries: 0,
    abortSignal: signal,
    // Errors are parts of the stream, read below; by default they would be printed as well.
    onError: () => undefined,
  })
  let length = 0
  for await (const part of fullStream) {
    // What else comes, such as the beginnings and ends of parts, reasoning and usage, no person reads.
    if (part.type === 'abort') return
    if (part.type === 'error') throw part.error
    if (part.type === 'tool-call') {
      yield { type: 'tool', what: toolWords[part.toolName] ?? 'Looking something up' }
    }
    if (part.type === 'finish') yield { type: 'done', cut: part.finishReason !== 'stop' }
    if (part.type !== 'text-delta') continue
    length += part.text.length
    yield { type: 'text', text: part.text }
    if (length > longestAnswer) {
      yield { type: 'done', cut: true }
      return
    }
  }
}
