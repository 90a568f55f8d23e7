import type { Platform } from '../../platform.ts'
import { createListeners } from './listeners.ts'
import { listenerRoutes } from './routes.ts'
import { listenerStore } from './store.ts'

/** Ports that projects have for themselves. */
export function listenersFeature(platform: Platform) {
  const { db, record, projects, listenPorts: rules, dataPlane, log } = platform
  const listeners = createListeners({
    store: listenerStore(db),
    record,
    tell: projects.tell,
    rules,
    dataPlane,
    log,
  })
  return { routes: listenerRoutes(listeners), check: listeners.check }
}
