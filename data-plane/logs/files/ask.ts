import { ApiError } from '#kit/errors'
import type { SqlAnswer } from '#contract/observability/logs'
import type { Ask, Query, Row } from '../engine/protocol.ts'
import { filesIn } from '../questions/slices.ts'
import { isMissing } from '#kit/postgres/files'
import type { Span } from './days.ts'
import type { LogLimits } from './limits.ts'
import { listSources, type Source } from './listing.ts'
import type { ProjectFolders } from './project-folders.ts'
import type { Readers } from './readers.ts'
import type { Segments } from './segments.ts'
import { EngineFailure, EngineMissing, type Answer, type Work } from './start-engine.ts'
import { createTurns } from './turns.ts'

type Statements = Omit<Ask, 'kind' | 'id' | 'maxBytes'>
/** What is to be done with the files that there are; undefined: nothing. */
type Plan = (sources: Source[]) => Work | undefined
type Options = {
  folders: ProjectFolders
  segments: Segments
  readers: Readers
  limits: LogLimits
  answers: () => boolean
  onMissing: (error: EngineMissing) => void
}

/** Files are listed again when they have moved. So often in one question is no packing any more but damage. */
const mostLooks = 50
/** So many by one reader: then it is another one's turn. */
const looksOfOne = 3

/** Asks the engine, one question of a project at a time. */
export function createAsk(options: Options) {
  const { folders, segments, readers, limits } = options
  const inTurn = createTurns({
    running: limits.running,
    waiting: limits.waitingQuestions,
    waitingOfOne: limits.waitingQuestionsOfProject,
    full: () => new ApiError('logs_busy', undefined, 2),
  })

  async function askUntilFound(
    ref: string,
    span: Span,
    plan: Plan,
    signal?: AbortSignal,
  ): Promise<Answer | undefined> {
    const end = performance.now() + limits.questionMs
    for (let looks = 1; ; looks += 1) {
      const sources = await listSources(folders, ref, span, segments.spans(ref))
      const work = plan(sources)
      if (!work) return undefined
      try {
        const left = Math.max(1, end - performance.now())
        return await readers.use(ref, (engine) => engine.run(work, left, signal))
      } catch (error) {
        const hasMoved =
          isMissing(error) || (error instanceof EngineFailure && error.failure === 'moved')
        if (!hasMoved || looks >= mostLooks) throw error
        // It may be in a folder that was removed, and another one has its name.
        if (looks % looksOfOne === 0) await readers.end(ref)
      }
    }
  }

  /** What the engine answers. What this process was given before is in the files. @throws ApiError */
  async function answerOf(
    ref: string,
    span: Span,
    plan: Plan,
    signal?: AbortSignal,
  ): Promise<Answer | undefined> {
    if (!options.answers()) throw new ApiError('logs_engine_missing')
    await segments.flush()
    try {
      return await inTurn(ref, signal, () => askUntilFound(ref, span, plan, signal))
    } catch (error) {
      if (error instanceof EngineMissing) options.onMissing(error)
      throw toApiError(error)
    }
  }

  return {
    /** The rows of the statements that `plan` makes. @throws ApiError */
    async rows(
      ref: string,
      span: Span,
      plan: (sources: Source[]) => Statements,
      signal?: AbortSignal,
    ): Promise<{ results: Row[][]; cut: boolean }> {
      const asks = (sources: Source[]): Work | undefined => {
        const asked = plan(sources)
        return sources.length === 0 || asked.statements.length === 0
          ? undefined
          : { kind: 'ask', ...asked, maxBytes: limits.answerBytes }
      }
      const answer = await answerOf(ref, span, asks, signal)
      if (!answer) return { results: [], cut: false }
      if ('results' in answer) return answer
      throw new Error('The engine answered something else')
    },
    /** What a question in SQL is answered; also where there is no file, since it may be wrong. @throws ApiError */
    async query(
      ref: string,
      span: Span,
      asked: Omit<Query, 'kind' | 'id' | 'files' | 'maxRows' | 'maxBytes'>,
      signal?: AbortSignal,
    ): Promise<SqlAnswer> {
      const { queryRows: maxRows, answerBytes: maxBytes } = limits
      const asks = (sources: Source[]): Work => ({
        kind: 'query',
        ...asked,
        files: filesIn(sources, span),
        maxRows,
        maxBytes,
      })
      // Its reader has to be somewhere, also where nothing was written yet.
      await folders.makeProject(ref)
      const answer = await answerOf(ref, span, asks, signal)
      if (answer && 'columns' in answer) {
        const { columns, rows, cut } = answer
        return { columns, rows, cut }
      }
      throw new Error('The engine answered something else')
    },
  }
}
export type AskEngine = ReturnType<typeof createAsk>

function toApiError(error: unknown): unknown {
  if (error instanceof EngineMissing) return new ApiError('logs_engine_missing')
  if (!(error instanceof EngineFailure)) return error
  switch (error.failure) {
    case 'slow':
    case 'interrupted':
      return new ApiError('logs_too_slow')
    case 'memory':
      return new ApiError('logs_too_large')
    case 'refused':
      return new ApiError('logs_query_refused', error.message)
    case 'pattern':
      return new ApiError('invalid_input', `This regular expression is not valid: ${error.message}`)
    case 'aborted':
      return new DOMException('Nobody waits for it any more', 'AbortError')
    case 'crashed':
    case 'moved':
    case 'other':
      return error
  }
}
