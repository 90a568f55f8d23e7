import { authConfig as api } from '#contract/auth/auth-config'
import { implement } from '#kit/http'
import type { AuthConfigs } from './auth-config.ts'
import type { SendTestMail } from './test-mail.ts'

export const authConfigRoutes = (configs: AuthConfigs, sendTestMail: SendTestMail) => [
  implement(api.get, ({ ref }) => configs.get(ref)),
  implement(api.update, ({ ref, ...changes }, caller, origin) =>
    configs.update(caller, ref, changes, origin),
  ),
  implement(api.updateHooks, ({ ref, ...changes }, caller, origin) =>
    configs.update(caller, ref, changes, origin),
  ),
  implement(api.testMail, async ({ ref, ...mail }, caller) => ({
    // To nobody else: what is sent is the caller's own text.
    ...(await sendTestMail(ref, caller.email, mail)),
    recipient: caller.email,
  })),
]
