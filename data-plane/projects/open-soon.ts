import type { ProjectStatus } from '#contract/projects/project-status'
import type { Directory } from './directory.ts'
import type { OpenProject } from './open-project.ts'
import { ProjectUnavailableError, type Projects } from './projects.ts'

/** Statuses that end in a running database before long. */
const onItsWay: readonly ProjectStatus[] = ['COMING_UP', 'RESTARTING', 'RESTORING']

type Options = { projects: Projects; directory: Directory; ref: string; timeoutMs: number }

/**
 * Opens a project; while it is on its way up, waits for it up to `timeoutMs`, so that a request that comes a moment
 * early is answered and not refused.
 * @throws ProjectUnavailableError when it cannot be served, or not in time.
 */
export async function openSoon(options: Options): Promise<OpenProject | undefined> {
  const { projects, directory, ref, timeoutMs } = options
  const deadline = performance.now() + timeoutMs
  for (;;) {
    // Listening comes before asking, so that no change falls in between.
    const change = nextChange(directory, ref)
    try {
      return await projects.open(ref)
    } catch (error) {
      const left = deadline - performance.now()
      const waits = error instanceof ProjectUnavailableError && onItsWay.includes(error.status)
      if (!waits || left <= 0) throw error
      await change.within(left)
    } finally {
      change.forget()
    }
  }
}

function nextChange(directory: Directory, ref: string) {
  let heard: () => void = () => undefined
  const promise = new Promise<void>((resolve) => {
    heard = resolve
  })
  const forget = directory.onChange((changed) => {
    if (changed === ref) heard()
  })
  return {
    forget,
    async within(ms: number): Promise<void> {
      const timer = setTimeout(heard, ms)
      await promise
      clearTimeout(timer)
    },
  }
}
