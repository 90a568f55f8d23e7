import { audit as api } from '#contract/organizations/audit'
import { implement } from '#kit/http'
import type { AuditLog } from './log.ts'

export const auditRoutes = (log: AuditLog) => [
  implement(api.list, (input) => log.list(input)),
  implement(api.filters, ({ slug }) => log.filters(slug)),
  implement(api.verify, ({ slug }) => log.verify(slug)),
]
