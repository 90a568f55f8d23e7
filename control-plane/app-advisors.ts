import type { Route } from '#kit/http'
import type { Jobs } from '#kit/jobs'
import type { Log } from '#kit/log'
import { createAdvisors } from './advisors/advisors.ts'
import { advisorRoutes } from './advisors/routes.ts'
import { advisorStore } from './advisors/store.ts'
import type { RecordChange } from './audit/audit.ts'
import type { Db } from './database/database.ts'
import type { ControlPlaneOptions } from './options.ts'
import { createDatabaseReader } from './pg-meta/read-database.ts'
import { createCollector } from './query-trends/collector.ts'
import { trendRoutes } from './query-trends/routes.ts'
import { trendStore } from './query-trends/store.ts'

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
