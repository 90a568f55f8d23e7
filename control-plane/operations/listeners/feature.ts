import type { Platform } from '../../platform.ts'
import { createListeners, type Listeners } from './listeners.ts'
import { listenerStore } from './store.ts'
import { internal } from '#contract/internal-api'
import { listeners as api } from '#contract/operations/listeners'
import { implement, implementOpen } from '#kit/http'

/** Ports that projects have for themselves. */
export function listenersFeature(platform: Platform) {
  const { db, audited, listenPorts: rules, dataPlane, log } = platform
  const listeners = createListeners({
    store: listenerStore(db),
    audited,
    rules,
    dataPlane,
    log,
  })
  return { routes: listenerRoutes(listeners), check: listeners.check }
}

const listenerRoutes = (listeners: Listeners) => [
  implement(api.get, ({ ref }) => listeners.get(ref)),
  implement(api.set, ({ ref, port }, caller, origin) => listeners.set(caller, ref, port, origin)),
  implementOpen(internal.listeners, () => listeners.desired()),
]
