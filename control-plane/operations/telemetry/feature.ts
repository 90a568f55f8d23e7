import type { Platform } from '../../platform.ts'
import { telemetryStore } from './store.ts'
import { createTelemetry, type Telemetry } from './telemetry.ts'
import { telemetry as api } from '#contract/operations/telemetry'
import { implement, implementOpen } from '#kit/http'

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

type Flags = (userId: string, slug: string | undefined) => Promise<Record<string, boolean>>

const telemetryRoutes = (telemetry: Telemetry, flagsOf: Flags) => [
  implementOpen(api.event, (input) => telemetry.event(input)),
  implementOpen(api.page, (input) => telemetry.page('page', input)),
  implementOpen(api.pageLeave, (input) => telemetry.page('page_leave', input)),
  implement(api.identify, (input, caller) => telemetry.identify(caller, input)),
  implement(api.groupsIdentify, (input, caller) => telemetry.groups(caller, input)),
  implement(api.groupsReset, (input, caller) => telemetry.groupsReset(caller, input)),
  implementOpen(api.reset, (input) => telemetry.reset(input)),
  implement(api.featureFlags, ({ organization_slug }, { userId }) =>
    flagsOf(userId, organization_slug),
  ),
  implement(api.trackFlag, (input, caller) => telemetry.flag(caller, input)),
  implementOpen(api.errorReport, (input, origin) => telemetry.errorReport(input, origin)),
]
