import type { Route } from '#kit/http'
import type { Jobs } from '#kit/jobs'
import type { Secrets } from '#kit/secrets'
import type { Db } from './platform-database/database.ts'
import { tableViewRoutes } from './database/table-views/routes.ts'
import { tableViewStore } from './database/table-views/store.ts'
import { createTableViews } from './database/table-views/table-views.ts'

type Parts = {
  db: Db
  secrets: Secrets
  every: Jobs['every']
  now?: (() => Date) | undefined
}

/** What the table editor remembers for people. */
export function assembleTableViews({ db, secrets, every, now = () => new Date() }: Parts): Route[] {
  const views = createTableViews({ store: tableViewStore(db), secrets, now })
  every(60, 'saves that can no longer be taken back', () => views.prune())
  return tableViewRoutes(views)
}
