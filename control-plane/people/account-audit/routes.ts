import { account as api } from '#contract/people/account'
import { implement } from '#kit/http'
import type { AccountAudit } from './account-audit.ts'

export const accountAuditRoutes = (audit: AccountAudit) => [
  implement(api.audit, (input, caller) => audit.list(caller, input)),
]
