import type { Route } from '#kit/http'
import type { Jobs } from '#kit/jobs'
import type { Log } from '#kit/log'
import { createAdvisors } from './observability/advisors/advisors.ts'
import { advisorRoutes } from './observability/advisors/routes.ts'
import { advisorStore } from './observability/advisors/store.ts'
import type { RecordChange } from './organizations/audit/audit.ts'
import type { Db } from './platform-database/database.ts'
import type { ControlPlaneOptions } from './options.ts'
import { createDatabaseReader } from './database/pg-meta/read-database.ts'
import { createCollector } from './observability/query-trends/collector.ts'
import { trendRoutes } from './observability/query-trends/routes.ts'
import { trendStore } from './observability/query-trends/store.ts'

type Parts = {
  db: Db
  record: RecordChange
  every: Jobs['every']
  options: Pick<ControlPlaneOptions, 'mode' | 'dataPlaneUrl' | 'internalToken'>
  log: Log
}

/** What is found to be wrong with projects, and how the work of their statements goes on. */
export function assembleAdvisors({ db, record, every, options, log }: Parts): Route[] {
  const reader = createDatabaseReader(options)
  const trends = trendStore(db)
  const advisors = createAdvisors({
    store: advisorStore(db),
    record,
    readLints: reader.lints,
    hasMembers: options.mode !== 'self-hosted',
  })
  every(
    60,
    'statement figures',
    createCollector({ store: trends, readStatements: reader.statements, log }),
  )
  return [...advisorRoutes(advisors), ...trendRoutes(trends)]
}
