import type { Platform } from '../../platform.ts'
import { graphqlConsoleRoutes } from './routes.ts'

export const graphqlConsoleFeature = (platform: Platform) => ({
  routes: graphqlConsoleRoutes(platform.dataPlane),
})
