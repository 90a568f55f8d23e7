import type { Platform } from '../../platform.ts'
import { createRealtimeConfig } from './config.ts'
import { realtimeRoutes } from './routes.ts'
import { realtimeConfigStore } from './store.ts'
import { createWatchTokens } from './token.ts'

type Needs = Parameters<typeof createWatchTokens>[0]

/** How the realtime services of projects work. */
export function realtimeFeature({ db, record, projects }: Platform, needs: Needs) {
  const configs = createRealtimeConfig({
    store: realtimeConfigStore(db),
    record,
    tell: projects.tell,
  })
  return {
    routes: realtimeRoutes(configs, createWatchTokens(needs)),
    settingsOf: configs.forService,
    get: configs.get,
  }
}
