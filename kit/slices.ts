import { setImmediate as nextTurn } from 'node:timers/promises'

type Waiting = { step: () => boolean; done: () => void; fail: (error: unknown) => void }
const waiting: Waiting[] = []
let running = false

/** One slice in each turn of the event loop, of one work after the other: however many wait, nobody else waits for longer. */
async function run(): Promise<void> {
  running = true
  for (let one = waiting.shift(); one; one = waiting.shift()) {
    try {
      if (one.step()) one.done()
      else waiting.push(one)
    } catch (error) {
      one.fail(error)
    }
    await nextTurn()
  }
  running = false
}

/**
 * Does long work of the processor in slices, and lets everything else go on between them.
 * @param step does one slice of a few milliseconds; true when all is done. What it throws rejects.
 */
export const inSlices = (step: () => boolean): Promise<void> =>
  new Promise((done, fail) => {
    waiting.push({ step, done, fail })
    if (!running) void run()
  })
