import { aiOptInLevel } from '#contract/organizations/ai-opt-in'
import type { assistant as api, AssistantEvent } from '#contract/assistant/assistant'
import type { Parsed } from '#contract/endpoint'
import type { Table } from '#contract/database/pg-meta-shapes'
import { ApiError } from '#kit/errors'
import type { Log } from '#kit/log'
import type { ModelServer } from './model.ts'
import { history, systemPrompt } from './prompt.ts'
import { schemaText } from './schema-text.ts'
import type { AssistantStore } from './store.ts'

/** Answers of one person that are under way. */
const maxAtOnce = 3
/** Milliseconds without a sign of the model, and in all. Models that think say nothing for long. */
export const timeouts = { quiet: 120_000, total: 600_000 }

type Deps = {
  store: AssistantStore
  /** Undefined: no operator has configured one. */
  server: ModelServer | undefined
  /** The tables of a project as this person may see them. */
  tablesOf: (userId: string, ref: string, signal: AbortSignal) => Promise<Table[]>
  log: Log
  wait?: typeof timeouts
}

/** Answers questions about a project with a model that sees of it what the organization opted in to. It runs nothing. */
export function createAssistant({ store, server, tablesOf, log, wait = timeouts }: Deps) {
  const answering = new Map<string, number>()

  function takeSlot(userId: string): () => void {
    const count = answering.get(userId) ?? 0
    if (count >= maxAtOnce) {
      throw new ApiError('rate_limited', 'Wait until your other messages are answered', 10)
    }
    answering.set(userId, count + 1)
    let freed = false
    return () => {
      if (freed) return
      freed = true
      const left = (answering.get(userId) ?? 1) - 1
      if (left > 0) answering.set(userId, left)
      else answering.delete(userId)
    }
  }

  async function* answer(
    input: Parsed<typeof api.ask>,
    userId: string,
    signal: AbortSignal,
  ): AsyncGenerator<AssistantEvent> {
    if (!server) throw new ApiError('ai_not_configured')
    const model = input.model ?? server.models[0] ?? ''
    if (!server.models.includes(model)) {
      throw new ApiError('invalid_input', `model: must be one of ${server.models.join(', ')}`)
    }
    const project = await store.project(input.ref)
    if (!project) throw new ApiError('project_not_found')
    const level = aiOptInLevel(project.tags)
    const tables = level === 'disabled' ? undefined : await readTables(userId, input.ref, signal)
    const schema =
      level === 'disabled'
        ? undefined
        : tables
          ? schemaText(tables)
          : 'They cannot be read at the moment.'
    // A large library that most starts of the platform never need.
    const { askModel } = await import('./model.ts')
    yield* askModel(server, {
      model,
      system: systemPrompt(project.name, schema),
      messages: history(input.messages, level),
      tables,
      signal,
    })
  }

  /** A database that is not there now is no reason not to answer. */
  const readTables = (userId: string, ref: string, signal: AbortSignal) =>
    tablesOf(userId, ref, signal).catch((error: unknown) => {
      log.info({ err: error, project: ref }, 'the assistant answers without the tables')
      return undefined
    })

  /** Ends what takes too long, and says so. */
  async function* watched(
    input: Parsed<typeof api.ask>,
    userId: string,
    left: AbortSignal,
  ): AsyncGenerator<AssistantEvent> {
    const late = new AbortController()
    const total = setTimeout(() => late.abort(), wait.total)
    let begun = false
    let quiet = setTimeout(() => late.abort(), wait.quiet)
    try {
      for await (const event of answer(input, userId, AbortSignal.any([left, late.signal]))) {
        begun = true
        clearTimeout(quiet)
        quiet = setTimeout(() => late.abort(), wait.quiet)
        yield event
      }
      if (late.signal.aborted) throw new ApiError('ai_timeout')
    } catch (error) {
      if (left.aborted) return
      if (late.signal.aborted) throw new ApiError('ai_timeout')
      const { failureOf } = await import('./failures.ts')
      const failure = failureOf(error, server?.apiKey, log)
      const broke = begun && failure.code === 'ai_unavailable'
      throw broke ? new ApiError('ai_unavailable', 'The response was interrupted') : failure
    } finally {
      clearTimeout(total)
      clearTimeout(quiet)
    }
  }

  return {
    status: () => ({ configured: server !== undefined, models: server?.models ?? [] }),

    /**
     * The answer, once it has begun: what is refused before is thrown, what fails later is its last event. `left` ends it.
     * @throws ApiError ai_*, rate_limited, project_not_found
     */
    async ask(
      input: Parsed<typeof api.ask>,
      userId: string,
      left: AbortSignal,
    ): Promise<AsyncGenerator<AssistantEvent>> {
      const free = takeSlot(userId)
      const events = watched(input, userId, left)
      // Who left may never read a first event, and what is not begun would not end by itself.
      left.addEventListener('abort', () => {
        free()
        void events.return(undefined)
      })
      try {
        const first = await events.next()
        return endingWith(first, events, free)
      } catch (error) {
        free()
        throw error
      }
    },
  }
}
export type Assistant = ReturnType<typeof createAssistant>

async function* endingWith(
  first: IteratorResult<AssistantEvent>,
  rest: AsyncGenerator<AssistantEvent>,
  free: () => void,
): AsyncGenerator<AssistantEvent> {
  try {
    if (!first.done) yield first.value
    yield* rest
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    yield { type: 'error', code: error.code, message: error.message }
  } finally {
    free()
    await rest.return(undefined)
  }
}
