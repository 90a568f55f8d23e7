import type { PlatformEnvironment } from '#contract/projects/cloud-providers'
import type { CustomContent } from '#contract/operations/custom-content'
import { ourContent } from '#contract/operations/our-content'
import type { Endpoint } from '#contract/endpoint'
import { planIds } from '#contract/billing/plans'
import { platform as api } from '#contract/operations/platform'
import type { Mode } from '#contract/operations/platform-only'
import { implementOpen } from '#kit/http'
import { openApi } from '#kit/http/openapi'

type Options = {
  mode: Mode
  version: string
  mailbox: boolean
  discussionsUrl?: string | undefined
  disabledFeatures?: readonly string[]
  environment?: PlatformEnvironment | undefined
  content?: CustomContent | undefined
  trashDays?: number | undefined
  endpoints: Endpoint[]
  now?: () => Date
}

export function platformRoutes(options: Options) {
  const { version, mode, mailbox, discussionsUrl, endpoints, now = () => new Date() } = options
  const {
    disabledFeatures = [],
    environment = 'production',
    content = ourContent,
    trashDays = 0,
  } = options
  const hidden = disabledFeatures.filter((name) => name.startsWith('dashboard_auth:'))
  let document: ReturnType<typeof openApi> | undefined
  return [
    implementOpen(api.utcTime, async () => ({ utcTime: now().toISOString() })),
    implementOpen(api.status, async () => ({
      version,
      mailbox,
      plans: [...planIds],
      mode,
      discussions_url: discussionsUrl ?? null,
      disabled_features: hidden,
      environment,
      trash_days: trashDays,
      content,
    })),
    // Made for the first who reads it: it takes longer than all else at a start.
    implementOpen(
      api.openapi,
      async () => (document ??= openApi(endpoints, { title: 'Plinth platform API', version })),
    ),
  ]
}
