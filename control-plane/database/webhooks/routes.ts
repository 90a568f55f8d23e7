import { internal } from '#contract/internal-api'
import { webhooks as api } from '#contract/database/webhooks'
import { implement, implementOpen } from '#kit/http'
import type { Webhooks } from './webhooks.ts'

export const webhookRoutes = (webhooks: Webhooks) => [
  implement(api.state, ({ ref }) => webhooks.state(ref)),
  implement(api.enable, ({ ref }, caller, origin) => webhooks.enable(caller, ref, origin)),
  implement(api.calls, (input) => webhooks.calls(input)),
  implementOpen(internal.webhooks, () => webhooks.enabled()),
]
