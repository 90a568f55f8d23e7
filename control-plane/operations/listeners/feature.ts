import type { Platform } from '../../platform.ts'
import { createListeners } from './listeners.ts'
import { listenerRoutes } from './routes.ts'
import { listenerStore } from './store.ts'

/** Ports that projects have for themselves. */
export function listenersFeature(platform: Platform) {
  const { db, record, projects, listenPorts: rules, dataPlaneUrl, internalToken, log } = platform
  const listeners = createListeners({
    store: listenerStore(db),
    record,
    tell: projects.tell,
    rules,
    dataPlaneUrl,
    internalToken,
    log,
  })
  return { routes: listenerRoutes(listeners), check: listeners.check }
}
