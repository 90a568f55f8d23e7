import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '#contract/endpoint'
import { createAuditLog } from './organizations/audit/log.ts'
import { auditLogStore } from './organizations/audit/log-store.ts'
import { auditRoutes } from './organizations/audit/routes.ts'
import { createFreeProjects } from './billing/billing/free-projects.ts'
import { freeStore } from './billing/billing/free-store.ts'
import { createDocuments } from './organizations/documents/documents.ts'
import { documentRoutes } from './organizations/documents/routes.ts'
import { documentStore } from './organizations/documents/store.ts'
import { createAuthorize } from './organizations/oauth-apps/authorize.ts'
import { createConsent } from './organizations/oauth-apps/consent.ts'
import { createOAuthApps } from './organizations/oauth-apps/oauth-apps.ts'
import { addOAuth } from './organizations/oauth-apps/protocol.ts'
import { oauthAppRoutes } from './organizations/oauth-apps/routes.ts'
import { oauthAppStore } from './organizations/oauth-apps/store.ts'
import { oauthTokenStore } from './organizations/oauth-apps/token-store.ts'
import { createTokens } from './organizations/oauth-apps/tokens.ts'
import type { RecordChange } from './organizations/audit/audit.ts'
import type { Db } from './platform-database/database.ts'
import { transferRoutes } from './projects/transfer/routes.ts'
import { transferStore } from './projects/transfer/store.ts'
import { createTransfer } from './projects/transfer/transfer.ts'

type Deps = {
  db: Db
  record: RecordChange
  now?: (() => Date) | undefined
}
type OAuthDeps = Deps & {
  /** The platform's own address, without a slash at its end. */
  url: string
}
type RecordsDeps = Deps & {
  endpoints: readonly Endpoint[]
  /** Where legal documents lie; undefined when there are none. */
  documents: string | undefined
}

/** What an organization keeps and gives away: its audit log, legal documents, and projects that go elsewhere. */
export function assembleRecords({
  db,
  record,
  endpoints,
  documents,
  now = () => new Date(),
}: RecordsDeps) {
  return [
    ...auditRoutes(createAuditLog({ store: auditLogStore(db), endpoints, now })),
    ...documentRoutes(createDocuments({ store: documentStore(db), record, folder: documents })),
    ...transferRoutes(
      createTransfer({
        store: transferStore(db),
        record,
        free: createFreeProjects(freeStore(db)),
      }),
    ),
  ]
}

/** OAuth: the apps, the consent to them, and the protocol they speak. */
export function assembleOAuth({ db, record, url, now = () => new Date() }: OAuthDeps) {
  const store = oauthTokenStore(db)
  const tokens = createTokens({ store, now })
  const authorize = createAuthorize({
    store,
    issuer: url,
    consentPage: (requestId, asks) =>
      `${url}/authorize?auth_id=${requestId}${asks ? '&prompt=consent' : ''}`,
    now,
  })
  return {
    routes: oauthAppRoutes(
      createOAuthApps({ store: oauthAppStore(db), record }),
      createConsent({ store, record, issuer: url, now }),
    ),
    /** Who a bearer that starts with `sbp_oauth_` stands for. */
    verify: tokens.verify,
    prune: tokens.prune,
    mount: (app: FastifyInstance) => addOAuth(app, { authorize, tokens, issuer: url }),
  }
}
