import type { RecordChange } from './organizations/audit/audit.ts'
import type { Db } from './platform-database/database.ts'
import type { ProjectStore } from './projects/projects/store.ts'
import { createRealtimeConfig } from './realtime/realtime/config.ts'
import { realtimeRoutes } from './realtime/realtime/routes.ts'
import { realtimeConfigStore } from './realtime/realtime/store.ts'
import { createWatchTokens } from './realtime/realtime/token.ts'

type Parts = {
  db: Db
  record: RecordChange
  projects: Pick<ProjectStore, 'tell'>
}

/** How the realtime services of projects work. */
export function assembleRealtime({ db, record, projects }: Parts) {
  const configs = createRealtimeConfig({
    store: realtimeConfigStore(db),
    record,
    tell: projects.tell,
  })
  return {
    settingsOf: configs.forService,
    get: configs.get,
    routes: (watching: Parameters<typeof createWatchTokens>[0]) =>
      realtimeRoutes(configs, createWatchTokens(watching)),
  }
}
