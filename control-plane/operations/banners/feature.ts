import type { Platform } from '../../platform.ts'
import { createBanners } from './banners.ts'
import { bannerRoutes } from './routes.ts'
import { bannerStore } from './store.ts'

export const bannersFeature = ({ db, record }: Platform) => ({
  routes: bannerRoutes(createBanners({ store: bannerStore(db), record })),
})
