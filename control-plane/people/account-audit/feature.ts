import type { Platform } from '../../platform.ts'
import { createAccountAudit } from './account-audit.ts'
import { accountAuditRoutes } from './routes.ts'
import { accountAuditStore } from './store.ts'

export const accountAuditFeature = ({ db, endpoints }: Platform) => ({
  routes: accountAuditRoutes(createAccountAudit(accountAuditStore(db), endpoints)),
})
