import type { ProjectConnection } from '#contract/internal'
import type { Directory } from '../projects/directory.ts'

export type FixedDirectory = Directory & {
  /** Adds or replaces a project and tells the listeners. */
  put(project: ProjectConnection): void
  remove(ref: string): void
}

/** A directory that is told its projects instead of asking for them: one database served alone, benchmarks, tests. */
export function fixedDirectory(projects: ProjectConnection[] = []): FixedDirectory {
  const known = new Map(projects.map((p) => [p.ref, p]))
  const listeners = new Set<(ref: string) => void>()
  const notify = (ref: string) => {
    for (const listener of listeners) listener(ref)
  }
  return {
    find: (ref) => Promise.resolve(known.get(ref)),
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    put: (project) => {
      known.set(project.ref, project)
      notify(project.ref)
    },
    remove: (ref) => {
      known.delete(ref)
      notify(ref)
    },
  }
}
