import type { Log } from '#kit/log'
import type { RecordChange } from './organizations/audit/audit.ts'
import type { Db } from './platform-database/database.ts'
import type { Members } from './organizations/members/members.ts'
import { newProfile } from './people/profile/profile.ts'
import { profileStore } from './people/profile/store.ts'
import { createArrival } from './organizations/sso/arrival.ts'
import { resolveTxtByDns, type ResolveTxt } from './organizations/sso/domains.ts'
import type { SsoGateway } from './organizations/sso/gateway.ts'
import { ssoRoutes } from './organizations/sso/routes.ts'
import { createSso } from './organizations/sso/sso.ts'
import { ssoStore } from './organizations/sso/store.ts'

type Deps = {
  db: Db
  record: RecordChange
  gateway: SsoGateway
  join: Members['join']
  trustedDomains: readonly string[]
  resolveTxt: ResolveTxt | undefined
  log: Log
}

/** The part of the control plane that is about signing in through an organization's own identity provider. */
export function assembleSso({ db, record, join, resolveTxt = resolveTxtByDns, ...rest }: Deps) {
  const store = ssoStore(db)
  const sso = createSso({ store, record, resolveTxt, ...rest })
  const profiles = profileStore(db)
  const arrive = createArrival({
    store,
    record,
    join,
    makeProfile: (tx, person) => profiles.insert(newProfile(person), tx),
  })
  return {
    routes: ssoRoutes(sso),
    forget: sso.forget,
    arrive,
  }
}
