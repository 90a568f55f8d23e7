import type { Platform } from '../../platform.ts'
import { telemetryRoutes } from './routes.ts'
import { telemetryStore } from './store.ts'
import { createTelemetry } from './telemetry.ts'

type Needs = Pick<Parameters<typeof createTelemetry>[0], 'grants'> & {
  flagsOf: Parameters<typeof telemetryRoutes>[1]
}

/** What people let us know of how they use the dashboard. */
export function telemetryFeature({ db, log }: Platform, { grants, flagsOf }: Needs) {
  const telemetry = createTelemetry({ store: telemetryStore(db), grants, log })
  return {
    routes: telemetryRoutes(telemetry, flagsOf),
    rounds: [{ seconds: 600, name: 'telemetry', run: () => telemetry.prune() }],
  }
}
