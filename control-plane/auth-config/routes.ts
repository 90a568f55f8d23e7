import { authConfig as api } from '#contract/auth-config'
import { implement } from '#kit/http'
import type { AuthConfigs } from './auth-config.ts'

export const authConfigRoutes = (configs: AuthConfigs) => [
  implement(api.get, ({ ref }) => configs.get(ref)),
  implement(api.update, ({ ref, ...changes }, caller, origin) =>
    configs.update(caller, ref, changes, origin),
  ),
  implement(api.updateHooks, ({ ref, ...changes }, caller, origin) =>
    configs.update(caller, ref, changes, origin),
  ),
]
