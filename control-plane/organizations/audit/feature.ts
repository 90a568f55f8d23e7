import type { Platform } from '../../platform.ts'
import { auditLogStore } from './log-store.ts'
import { createAuditLog } from './log.ts'
import { auditRoutes } from './routes.ts'

export const auditFeature = ({ db, endpoints, now }: Platform) => ({
  routes: auditRoutes(createAuditLog({ store: auditLogStore(db), endpoints, now })),
})
