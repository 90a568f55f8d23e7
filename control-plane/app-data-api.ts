import type { Caller } from '#kit/http'
import type { RecordChange } from './organizations/audit/audit.ts'
import { createDataApi } from './data-api/data-api/data-api.ts'
import { dataApiRoutes } from './data-api/data-api/routes.ts'
import { settingsStore } from './data-api/data-api/settings-store.ts'
import type { Db } from './platform-database/database.ts'
import type { ControlPlaneOptions } from './options.ts'
import type { RunSql } from './database/pg-meta/run-sql.ts'
import type { ProjectStore } from './projects/projects/store.ts'
import { webhookRoutes } from './database/webhooks/routes.ts'
import { webhookStore } from './database/webhooks/store.ts'
import { createWebhooks } from './database/webhooks/webhooks.ts'

type Parts = {
  db: Db
  record: RecordChange
  runSql: RunSql
  options: Pick<ControlPlaneOptions, 'webhookSchema'>
  store: Pick<ProjectStore, 'tell'>
  settings: { jwtSecret: (caller: Caller, ref: string) => Promise<string | undefined> }
}

/** How the data APIs of projects work, and what their databases tell others of. */
export function assembleDataApi({ db, record, runSql, settings, options, ...parts }: Parts) {
  const { jwtSecret } = settings
  const dataApi = createDataApi({ store: settingsStore(db, runSql), record, jwtSecret })
  const webhooks = createWebhooks({
    store: webhookStore(db, runSql),
    record,
    tell: parts.store.tell,
    schema: options.webhookSchema,
  })
  return { get: dataApi.get, routes: [...dataApiRoutes(dataApi), ...webhookRoutes(webhooks)] }
}
