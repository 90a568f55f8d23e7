import type { Permission } from '#contract/permissions'
import type { Route } from '#kit/http'
import type { Jobs } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { RecordChange } from './organizations/audit/audit.ts'
import { createBanners } from './operations/banners/banners.ts'
import { bannerRoutes } from './operations/banners/routes.ts'
import { bannerStore } from './operations/banners/store.ts'
import { createConsent } from './people/consent/consent.ts'
import { consentRoutes } from './people/consent/routes.ts'
import { consentStore } from './people/consent/store.ts'
import type { Db } from './platform-database/database.ts'
import { createFlags } from './operations/flags/flags.ts'
import { flagRoutes } from './operations/flags/routes.ts'
import { flagStore } from './operations/flags/store.ts'
import { telemetryRoutes } from './operations/telemetry/routes.ts'
import { telemetryStore } from './operations/telemetry/store.ts'
import { createTelemetry } from './operations/telemetry/telemetry.ts'

type Parts = {
  db: Db
  record: RecordChange
  permissionsOf: (userId: string) => Promise<Permission[]>
  every: Jobs['every']
  log: Log
}

/** What the frame of the dashboard asks for: consent, telemetry, remote flags, banners. */
export async function assembleShell(parts: Parts): Promise<Route[]> {
  const { db, record, permissionsOf, every, log } = parts
  const consent = createConsent(consentStore(db), record)
  const telemetry = createTelemetry({ store: telemetryStore(db), grants: consent.grants, log })
  const flags = await createFlags({
    store: flagStore(db),
    record,
    organizationsOf: async (userId) =>
      (await permissionsOf(userId)).map((row) => row.organization_slug),
  })
  every(600, 'telemetry', () => telemetry.prune())
  return [
    ...consentRoutes(consent),
    ...telemetryRoutes(telemetry, flags.of),
    ...flagRoutes(flags),
    ...bannerRoutes(createBanners({ store: bannerStore(db), record })),
  ]
}
