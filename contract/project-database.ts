import { migrations } from './migrations.ts'
import { pgMeta } from './pg-meta.ts'
import { sqlQuery } from './sql-query.ts'
import { tableRows } from './table-rows.ts'

/** Every endpoint below /platform/pg-meta: authorized by the control plane, answered by the data plane from the project's own database. */
export const projectDatabase = { pgMeta, sqlQuery, tableRows, migrations }
