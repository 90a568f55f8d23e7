import type { Platform } from '../../platform.ts'
import { createBanners, type Banners } from './banners.ts'
import { bannerStore } from './store.ts'
import { banners as api } from '#contract/operations/banners'
import { implementOpen } from '#kit/http'

export const bannersFeature = ({ db, record }: Platform) => ({
  routes: bannerRoutes(createBanners({ store: bannerStore(db), record })),
})

const bannerRoutes = (banners: Banners) => [
  implementOpen(api.current, () => banners.current()),
  implementOpen(api.set, (banner, origin) => banners.set(banner, origin)),
  implementOpen(api.clear, ({ kind }, origin) => banners.clear(kind, origin)),
]
