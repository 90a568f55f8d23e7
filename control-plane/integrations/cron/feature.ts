import { internal } from '#contract/internal-api'
import { implementOpen } from '#kit/http'
import type { Platform } from '../../platform.ts'
import { cronStore } from './store.ts'

/** Which databases have jobs: the data plane finds it out, and is told it again when it starts. */
export function cronFeature({ db, projects }: Pick<Platform, 'db' | 'projects'>) {
  const store = cronStore(db)
  return {
    routes: [
      implementOpen(internal.cron, () => store.used()),
      implementOpen(internal.cronUse, ({ ref, used }) =>
        db.transaction().execute(async (tx) => {
          const changed = await store.keep(tx, ref, used)
          if (changed) await projects.notify(tx, ref)
          return { changed }
        }),
      ),
    ],
  }
}
