import { appendFile, mkdir, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '#kit/log'
import { isMissing } from '#kit/postgres/files'
import { FunctionEvent, type WantedEvents } from '#contract/functions/functions-events'

/** Where what functions do is written down. The newest are kept, as many as fit. */
export type FunctionEvents = {
  record(ref: string, event: FunctionEvent): void
  /** The newest first. */
  read(ref: string, query: WantedEvents): Promise<FunctionEvent[]>
  close(): Promise<void>
}
type Options = { folder: string; log: Log; maxBytes?: number; everyMs?: number }

/** Events of one project that wait to be written. */
const maxWaiting = 10_000

/** Two files of lines per project; when the newer one is full it takes the place of the older one. */
export function createFunctionEvents(options: Options): FunctionEvents {
  const { folder, log, maxBytes = 4 * 1024 * 1024, everyMs = 200 } = options
  let waiting = new Map<string, string[]>()
  const fileOf = (ref: string) => join(folder, `${ref}.jsonl`)

  async function write(): Promise<void> {
    const batch = waiting
    waiting = new Map()
    if (batch.size > 0) await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const [ref, lines] of batch) {
      const file = fileOf(ref)
      const size = await stat(file).then(
        (state) => state.size,
        () => 0,
      )
      if (size > maxBytes) await rename(file, `${file}.old`)
      await appendFile(file, lines.join(''), { mode: 0o600 })
    }
  }
  let running: Promise<void> = Promise.resolve()
  const flush = () =>
    (running = running.then(write).catch((error: unknown) => {
      log.error({ err: error }, 'events of functions could not be written and are lost')
    }))
  let timer: NodeJS.Timeout | undefined
  const flushSoon = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      void flush()
    }, everyMs).unref()
  }

  const linesOf = (path: string) =>
    readFile(path, 'utf8').then(
      (text) => text.split('\n'),
      (error: unknown) => {
        if (isMissing(error)) return []
        throw error
      },
    )

  return {
    record(ref, event) {
      const lines = waiting.get(ref) ?? []
      waiting.set(ref, lines)
      if (lines.length < maxWaiting) lines.push(`${JSON.stringify(event)}\n`)
      flushSoon()
    },
    async read(ref, { function_id: functionId, kind, limit }) {
      await flush()
      const lines = [...(await linesOf(`${fileOf(ref)}.old`)), ...(await linesOf(fileOf(ref)))]
      const found: FunctionEvent[] = []
      for (const line of lines.reverse()) {
        if (found.length >= limit) break
        const event = parse(line)
        if (!event || (functionId && event.function_id !== functionId)) continue
        if (!kind || event.kind === kind) found.push(event)
      }
      return found
    },
    async close() {
      clearTimeout(timer)
      await flush()
    },
  }
}

/** A process that ended in the middle of writing leaves half a line. */
function parse(line: string): FunctionEvent | undefined {
  if (line === '') return undefined
  try {
    return FunctionEvent.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}
