import { databaseFunctions } from '../database/database-functions.ts'
import { databaseObjects } from '../database/database-objects.ts'
import { databaseServer } from '../database/database-server.ts'
import { databasePolicies } from '../database/database-policies.ts'
import { databasePrivileges } from '../database/database-privileges.ts'
import { databaseTools } from '../database/database-tools.ts'
import { databaseTriggers } from '../database/database-triggers.ts'
import { databaseTypes } from '../database/database-types.ts'
import { impersonation } from '../data-api/impersonation.ts'
import { activity } from '../database/activity.ts'
import { cron } from '../integrations/cron.ts'
import { webhookCalls } from '../integrations/webhook-calls.ts'
import { queues } from '../integrations/queues.ts'
import { databaseAdvisors } from '../observability/advisors.ts'
import { queryPerformance } from '../observability/query-performance.ts'
import { migrationTools } from '../database/migration-tools.ts'
import { migrations } from '../database/migrations.ts'
import { pgMeta } from '../database/pg-meta.ts'
import { projectOverview } from './project-overview.ts'
import { rlsTest } from '../database/rls-test.ts'
import { rowBulk } from '../database/rows/row-bulk.ts'
import { rowLookup } from '../database/rows/row-lookup.ts'
import { sqlQuery } from '../database/sql/sql-query.ts'
import { sqlTools } from '../database/sql/sql-tools.ts'
import { tableDefinition } from '../database/table-definition.ts'
import { tableRows } from '../database/rows/table-rows.ts'
import { tableShapes } from '../database/table-shapes.ts'
import { tableTransfer } from '../database/table-transfer.ts'

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
  cron,
  webhookCalls,
  queues,
}
