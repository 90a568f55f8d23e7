import type { Endpoint } from '#contract/endpoint'
import type { Permission } from '#contract/permissions'
import type { Job } from '#kit/jobs'
import type { AccessTokens } from './people/access-tokens/access-tokens.ts'
import { accessTokenRoutes } from './people/access-tokens/routes.ts'
import type { People } from './access/access.ts'
import { createAccountAudit } from './people/account-audit/account-audit.ts'
import { accountAuditRoutes } from './people/account-audit/routes.ts'
import { accountAuditStore } from './people/account-audit/store.ts'
import type { RecordChange } from './organizations/audit/audit.ts'
import type { Db } from './platform-database/database.ts'
import { acceptJob } from './operations/jobs/store.ts'
import { createProfiles } from './people/profile/profile.ts'
import { createAccountRemoval } from './people/profile/removal.ts'
import { removalStore } from './people/profile/removal-store.ts'
import { profileRoutes } from './people/profile/routes.ts'
import { profileStore } from './people/profile/store.ts'

type Deps = {
  db: Db
  record: RecordChange
  startJob: (job: Job) => Promise<void>
  people: People
  disabledFeatures: readonly string[]
  accessTokens: AccessTokens
  permissionsOf: (userId: string) => Promise<Permission[]>
  endpoints: readonly Endpoint[]
}

/** The part of the control plane that is about one person: profile, access tokens, own audit log, the end of it. */
export function assembleAccount(deps: Deps) {
  const { db, record, people, accessTokens } = deps
  const store = profileStore(db)
  const removal = createAccountRemoval({
    profiles: store,
    store: removalStore(db),
    record,
    acceptJob,
    startJob: deps.startJob,
    people,
  })
  return [
    ...profileRoutes({
      profiles: createProfiles(store, record, deps.disabledFeatures),
      removal,
      permissionsOf: deps.permissionsOf,
    }),
    ...accessTokenRoutes(accessTokens),
    ...accountAuditRoutes(createAccountAudit(accountAuditStore(db), deps.endpoints)),
  ]
}
