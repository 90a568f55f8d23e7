import { PassThrough } from 'node:stream'
import type { RunEvent } from '#contract/sql-query'

/** Bytes that may wait for a slow reader before Postgres has to wait too. */
const buffered = 256 * 1024
/** A reader that takes nothing for so long is gone or asleep; a session is not held for it. */
const patienceMs = 120_000

/** Events out as lines of JSON, with the reader's pace as theirs. */
export function createRunStream(onGone: () => void) {
  const stream = new PassThrough({ highWaterMark: buffered })
  stream.once('close', () => {
    if (!stream.writableFinished) onGone()
  })
  return {
    stream,
    send: (event: RunEvent): boolean =>
      stream.destroyed ? true : stream.write(`${JSON.stringify(event)}\n`),
    drained: (): Promise<void> =>
      new Promise((done) => {
        if (stream.destroyed || !stream.writableNeedDrain) return done()
        const timer = setTimeout(() => stream.destroy(), patienceMs)
        const end = () => {
          clearTimeout(timer)
          stream.off('drain', end).off('close', end)
          done()
        }
        stream.once('drain', end).once('close', end)
      }),
    end: () => stream.end(),
  }
}
