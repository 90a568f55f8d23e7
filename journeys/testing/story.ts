import { test } from 'vitest'

/** Adds the next step of a story. */
export type Step = (name: string, run: () => unknown) => void

/**
 * A journey whose steps build on each other is one test: it begins from nothing, and what fails ends it, for what follows
 * could only fail by that. `const step = story('…')` stands above the steps, which then read as tests do. It is told only
 * where `when` holds.
 */
export function story(name: string, when = true): Step {
  const steps: Parameters<Step>[] = []
  const tell = async () => {
    for (const [index, [at, run]] of steps.entries()) {
      try {
        await run()
      } catch (failure) {
        if (failure instanceof Error)
          failure.message = `Step ${index + 1} of ${steps.length}, "${at}":\n${failure.message}`
        throw failure
      }
    }
  }
  // Each step waits for a limited time of its own; this ends one that never comes to its end.
  test.runIf(when)(name, tell, 15 * 60_000)
  return (at, run) => steps.push([at, run])
}
