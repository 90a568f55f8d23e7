import type { Platform } from '../../platform.ts'
import { createAccountAudit, type AccountAudit } from './account-audit.ts'
import { accountAuditStore } from './store.ts'
import { account as api } from '#contract/people/account'
import { implement } from '#kit/http'

export const accountAuditFeature = ({ db, endpoints }: Platform) => ({
  routes: accountAuditRoutes(createAccountAudit(accountAuditStore(db), endpoints)),
})

const accountAuditRoutes = (audit: AccountAudit) => [
  implement(api.audit, (input, caller) => audit.list(caller, input)),
]
