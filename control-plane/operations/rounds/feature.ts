import type { Platform } from '../../platform.ts'
import { roundRoutes } from './routes.ts'

/** What could not be looked after the last time. */
export const roundsFeature = ({ failing }: Platform) => ({ routes: roundRoutes(failing) })
