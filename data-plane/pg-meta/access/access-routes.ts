import { databasePolicies } from '#contract/database/database-policies'
import { databasePrivileges } from '#contract/database/database-privileges'
import { listGuardedTables } from './guarded-tables.ts'
import { createPolicy, deletePolicy, getPolicy, updatePolicy } from './policies.ts'
import { checkPolicyExpression } from './policy-check.ts'
import {
  changeColumnPrivileges,
  changeTablePrivileges,
  listColumnPrivileges,
  listTablePrivileges,
} from './privileges.ts'
import { answer, type MetaRoute, type UseSession } from '../routes.ts'

/** Who may see and change what: policies, and privileges of tables and columns. */
export const accessRoutes = (read: UseSession, write: UseSession): MetaRoute[] => [
  answer(read, databasePolicies.tables, listGuardedTables),
  answer(read, databasePolicies.get, (db, { id }) => getPolicy(db, id)),
  answer(read, databasePolicies.check, checkPolicyExpression),
  answer(write, databasePolicies.create, createPolicy),
  answer(write, databasePolicies.update, updatePolicy),
  answer(write, databasePolicies.remove, (db, { id }) => deletePolicy(db, id)),
  answer(read, databasePrivileges.tables, listTablePrivileges),
  answer(read, databasePrivileges.columns, listColumnPrivileges),
  answer(write, databasePrivileges.grantTables, (db, { privileges }) =>
    changeTablePrivileges(db, 'grant', privileges),
  ),
  answer(write, databasePrivileges.revokeTables, (db, { privileges }) =>
    changeTablePrivileges(db, 'revoke', privileges),
  ),
  answer(write, databasePrivileges.grantColumns, (db, { privileges }) =>
    changeColumnPrivileges(db, 'grant', privileges),
  ),
  answer(write, databasePrivileges.revokeColumns, (db, { privileges }) =>
    changeColumnPrivileges(db, 'revoke', privileges),
  ),
]
