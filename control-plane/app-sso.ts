import type { Log } from '#kit/log'
import type { RecordChange } from './audit/audit.ts'
import type { Db } from './database/database.ts'
import type { Members } from './members/members.ts'
import { newProfile } from './profile/profile.ts'
import { profileStore } from './profile/store.ts'
import { createArrival } from './sso/arrival.ts'
import { resolveTxtByDns, type ResolveTxt } from './sso/domains.ts'
import type { SsoGateway } from './sso/gateway.ts'
import { ssoRoutes } from './sso/routes.ts'
import { createSso } from './sso/sso.ts'
import { ssoStore } from './sso/store.ts'

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
