import { realtime as api } from '#contract/realtime/realtime-config'
import { implement } from '#kit/http'
import type { RealtimeConfigs } from './config.ts'
import type { WatchTokens } from './token.ts'

export const realtimeRoutes = (configs: RealtimeConfigs, tokenFor: WatchTokens) => [
  implement(api.config, ({ ref }) => configs.get(ref)),
  implement(api.updateConfig, ({ ref, ...changes }, caller, origin) =>
    configs.update(caller, ref, changes, origin),
  ),
  implement(api.token, ({ ref, as }) => tokenFor(ref, as)),
]
