import { internal } from '#contract/internal-api'
import { listeners as api } from '#contract/operations/listeners'
import { implement, implementOpen } from '#kit/http'
import type { Listeners } from './listeners.ts'

export const listenerRoutes = (listeners: Listeners) => [
  implement(api.get, ({ ref }) => listeners.get(ref)),
  implement(api.set, ({ ref, port }, caller, origin) => listeners.set(caller, ref, port, origin)),
  implementOpen(internal.listeners, () => listeners.wanted()),
]
