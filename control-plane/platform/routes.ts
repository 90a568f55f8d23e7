import type { Endpoint } from '#contract/endpoint'
import { planIds } from '#contract/plans'
import { platform as api } from '#contract/platform'
import { implementOpen } from '#kit/http'
import { openApi } from '#kit/openapi'

type Options = { version: string; mailbox: boolean; endpoints: Endpoint[]; now?: () => Date }

export function platformRoutes({ version, mailbox, endpoints, now = () => new Date() }: Options) {
  const document = openApi(endpoints, { title: 'Plinth platform API', version })
  return [
    implementOpen(api.utcTime, async () => ({ utcTime: now().toISOString() })),
    implementOpen(api.status, async () => ({ version, mailbox, plans: [...planIds] })),
    implementOpen(api.openapi, async () => document),
  ]
}
