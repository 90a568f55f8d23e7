import { PassThrough } from 'node:stream'
import type { RunEvent } from '#contract/database/sql/sql-query'

/** Bytes that may wait for a slow reader before Postgres has to wait too. */
const buffered = 256 * 1024
/** A reader that takes nothing for so long is gone or asleep; a session is not held for it. */
const timeoutMs = 120_000

/** Characters that are written at once, and milliseconds that an event waits for others: a script has thousands of small ones. */
const writtenAtOnce = 32 * 1024
const waitMs = 15

/** Events out as lines of JSON, with the reader's pace as theirs. */
export function createRunStream(onGone: () => void) {
  const stream = new PassThrough({ highWaterMark: buffered })
  let lines: string[] = []
  let size = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  function write(): boolean {
    clearTimeout(timer)
    timer = undefined
    const text = lines.join('')
    lines = []
    size = 0
    return stream.destroyed || text === '' ? true : stream.write(text)
  }
  stream.once('close', () => {
    if (!stream.writableFinished) onGone()
  })
  return {
    stream,
    send(event: RunEvent): boolean {
      if (stream.destroyed) return true
      const line = `${JSON.stringify(event)}\n`
      lines.push(line)
      size += line.length
      if (size >= writtenAtOnce) return write()
      timer ??= setTimeout(write, waitMs)
      return true
    },
    drained: (): Promise<void> =>
      new Promise((done) => {
        if (stream.destroyed || !stream.writableNeedDrain) return done()
        const timer = setTimeout(() => stream.destroy(), timeoutMs)
        const end = () => {
          clearTimeout(timer)
          stream.off('drain', end).off('close', end)
          done()
        }
        stream.once('drain', end).once('close', end)
      }),
    end() {
      write()
      stream.end()
    },
  }
}
