import { impersonation } from '#contract/data-api/impersonation'
import { refuseImpersonation } from './impersonation.ts'
import { listUsers } from './impersonation-users.ts'
import { answer, type MetaRoute, type UseSession } from '../routes.ts'

export const impersonationRoutes = (read: UseSession): MetaRoute[] => [
  answer(read, impersonation.users, (db, input, who) => {
    refuseImpersonation(who)
    return listUsers(db, input)
  }),
]
