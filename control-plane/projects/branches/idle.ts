import type { EachSubject } from '#kit/subjects'
import type { IdleStore } from './idle-store.ts'
import type { BranchStore } from './store.ts'

export type IdleDeps = {
  store: Pick<BranchStore, 'findAny' | 'note'>
  idle: IdleStore
  /** Pauses a project by the platform's own word, if no job is at work on it. */
  pause: (ref: string, reason: string, cause: 'idle_branch') => Promise<void>
  each: EachSubject
  now: () => Date
}

/** Pauses branches that nobody uses. They cost nothing then, keep all they have, and are resumed with one click. */
export const createIdleBranches = ({ store, idle, pause, each, now }: IdleDeps) => ({
  round: async (): Promise<void> =>
    each(
      'branches that nobody uses',
      await idle.idle(now()),
      ({ ref }) => ref,
      async ({ id, ref, hours }) => {
        const why = `Nobody has used it for ${hours} ${hours === 1 ? 'hour' : 'hours'}`
        await pause(ref, why, 'idle_branch')
        // Somebody may have begun something else with it just then.
        const status = (await store.findAny(id))?.project_status
        if (status !== 'PAUSING' && status !== 'INACTIVE') return
        await store.note(id, `${why}, so it was paused. Resume it to use it again`)
      },
    ),
})
