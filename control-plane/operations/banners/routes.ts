import { banners as api } from '#contract/operations/banners'
import { implementOpen } from '#kit/http'
import type { Banners } from './banners.ts'

export const bannerRoutes = (banners: Banners) => [
  implementOpen(api.current, () => banners.current()),
  implementOpen(api.set, (banner, origin) => banners.set(banner, origin)),
  implementOpen(api.clear, ({ kind }, origin) => banners.clear(kind, origin)),
]
