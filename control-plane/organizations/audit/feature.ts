import type { Platform } from '../../platform.ts'
import { auditLogStore } from './log-store.ts'
import { createAuditLog, type AuditLog } from './log.ts'
import { audit as api } from '#contract/organizations/audit'
import { internal } from '#contract/internal-api'
import { implement, implementOpen } from '#kit/http'

export const auditFeature = ({ db, endpoints, now }: Platform) => ({
  routes: auditRoutes(createAuditLog({ store: auditLogStore(db), endpoints, now })),
})

const auditRoutes = (log: AuditLog) => [
  implement(api.list, (input) => log.list(input)),
  implement(api.filters, ({ slug }) => log.filters(slug)),
  implement(api.verify, ({ slug }) => log.verify(slug)),
  implementOpen(internal.auditEntries, (input) => log.following(input)),
]
