import { ApiError } from '#kit/errors'
import type { Ask, Row } from '../engine/protocol.ts'
import type { Span } from './days.ts'
import type { LogLimits } from './limits.ts'
import { listSources, type Source } from './listing.ts'
import type { ProjectFolders } from './project-folders.ts'
import type { Readers } from './readers.ts'
import type { Segments } from './segments.ts'
import { EngineFailure, EngineMissing } from './start-engine.ts'
import { createTurns } from './turns.ts'

type Asked = Omit<Ask, 'kind' | 'id' | 'maxBytes'>
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

  async function askOnce(ref: string, asked: Asked, maxMs: number, signal?: AbortSignal) {
    return readers.use(ref, (engine) =>
      engine.run({ kind: 'ask', ...asked, maxBytes: limits.answerBytes }, maxMs, signal),
    )
  }
  async function askUntilFound(
    ref: string,
    span: Span,
    plan: (sources: Source[]) => Asked,
    signal?: AbortSignal,
  ): Promise<{ results: Row[][]; cut: boolean }> {
    const end = performance.now() + limits.questionMs
    for (let looks = 1; ; looks += 1) {
      const sources = await listSources(folders, ref, span, segments.spans(ref))
      const asked = plan(sources)
      if (sources.length === 0 || asked.statements.length === 0) return { results: [], cut: false }
      try {
        const left = Math.max(1, end - performance.now())
        const answer = await askOnce(ref, asked, left, signal)
        if ('results' in answer) return answer
        throw new Error('The engine answered something else')
      } catch (error) {
        const hasMoved = error instanceof EngineFailure && error.failure === 'moved'
        if (!hasMoved || looks >= mostLooks) throw error
        // It may be in a folder that was removed, and another one has its name.
        if (looks % looksOfOne === 0) await readers.end(ref)
      }
    }
  }

  /**
   * The rows of the statements that `plan` makes for the files that there are. What this process was given before is in
   * them. @throws ApiError
   */
  return async function ask(
    ref: string,
    span: Span,
    plan: (sources: Source[]) => Asked,
    signal?: AbortSignal,
  ): Promise<{ results: Row[][]; cut: boolean }> {
    if (!options.answers()) throw new ApiError('logs_engine_missing')
    await segments.flush()
    try {
      return await inTurn(ref, signal, () => askUntilFound(ref, span, plan, signal))
    } catch (error) {
      if (error instanceof EngineMissing) options.onMissing(error)
      throw toApiError(error)
    }
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
