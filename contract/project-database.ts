import { databaseFunctions } from './database-functions.ts'
import { databaseObjects } from './database-objects.ts'
import { databaseServer } from './database-server.ts'
import { databasePolicies } from './database-policies.ts'
import { databasePrivileges } from './database-privileges.ts'
import { databaseTools } from './database-tools.ts'
import { databaseTriggers } from './database-triggers.ts'
import { databaseTypes } from './database-types.ts'
import { impersonation } from './impersonation.ts'
import { activity } from './activity.ts'
import { databaseAdvisors } from './advisors.ts'
import { queryPerformance } from './query-performance.ts'
import { migrationTools } from './migration-tools.ts'
import { migrations } from './migrations.ts'
import { pgMeta } from './pg-meta.ts'
import { projectOverview } from './project-overview.ts'
import { rlsTest } from './rls-test.ts'
import { rowBulk } from './row-bulk.ts'
import { rowLookup } from './row-lookup.ts'
import { sqlQuery } from './sql-query.ts'
import { sqlTools } from './sql-tools.ts'
import { tableDefinition } from './table-definition.ts'
import { tableRows } from './table-rows.ts'
import { tableShapes } from './table-shapes.ts'
import { tableTransfer } from './table-transfer.ts'

/** Every endpoint below /platform/pg-meta: authorized by the control plane, answered by the data plane from the project's own database. */
export const projectDatabase = {
  pgMeta,
  sqlQuery,
  sqlTools,
  tableRows,
  rowLookup,
  rowBulk,
  tableShapes,
  tableTransfer,
  tableDefinition,
  migrations,
  migrationTools,
  impersonation,
  databasePolicies,
  databasePrivileges,
  rlsTest,
  databaseFunctions,
  databaseObjects,
  databaseServer,
  databaseTools,
  databaseTriggers,
  databaseTypes,
  projectOverview,
  databaseAdvisors,
  queryPerformance,
  activity,
}
