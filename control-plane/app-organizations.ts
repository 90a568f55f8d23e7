import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '#contract/endpoint'
import { createAuditLog } from './audit/log.ts'
import { auditLogStore } from './audit/log-store.ts'
import { auditRoutes } from './audit/routes.ts'
import { createFreeProjects } from './billing/free-projects.ts'
import { freeStore } from './billing/free-store.ts'
import { createDocuments } from './documents/documents.ts'
import { documentRoutes } from './documents/routes.ts'
import { documentStore } from './documents/store.ts'
import { createAuthorize } from './oauth-apps/authorize.ts'
import { createConsent } from './oauth-apps/consent.ts'
import { createOAuthApps } from './oauth-apps/oauth-apps.ts'
import { addOAuth } from './oauth-apps/protocol.ts'
import { oauthAppRoutes } from './oauth-apps/routes.ts'
import { oauthAppStore } from './oauth-apps/store.ts'
import { oauthTokenStore } from './oauth-apps/token-store.ts'
import { createTokens } from './oauth-apps/tokens.ts'
import type { RecordChange } from './audit/audit.ts'
import type { Db } from './database/database.ts'
import { transferRoutes } from './transfer/routes.ts'
import { transferStore } from './transfer/store.ts'
import { createTransfer } from './transfer/transfer.ts'

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
