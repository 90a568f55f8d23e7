type Step = { name: string; end: () => Promise<void> }

/**
 * What has been started and has to end with this process, last begun first. Each step is tried by itself: what cannot be
 * ended does not keep the others running.
 */
export function createEnding(say: (line: string) => void) {
  const steps: Step[] = []
  let running: Promise<boolean> | undefined

  async function run(): Promise<boolean> {
    let isClean = true
    for (let step = steps.pop(); step; step = steps.pop()) {
      try {
        await step.end()
      } catch (error) {
        isClean = false
        say(
          `${step.name} could not be ended: ${error instanceof Error ? error.message : String(error)}`,
        )
      }
    }
    return isClean
  }
  return {
    /** Known before it begins, so that it ends also when this process is told to end half way. */
    add(name: string, end: () => Promise<void>): void {
      steps.push({ name, end })
    },
    get hasBegun() {
      return running !== undefined
    },
    /** Once, however often it is asked for. False when something could not be ended. */
    run: () => (running ??= run()),
  }
}
