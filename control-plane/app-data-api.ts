import type { Caller } from '#kit/http'
import type { RecordChange } from './audit/audit.ts'
import { createDataApi } from './data-api/data-api.ts'
import { dataApiRoutes } from './data-api/routes.ts'
import { settingsStore } from './data-api/settings-store.ts'
import type { Db } from './database/database.ts'
import type { RunSql } from './pg-meta/run-sql.ts'

type Parts = {
  db: Db
  record: RecordChange
  runSql: RunSql
  settings: { jwtSecret: (caller: Caller, ref: string) => Promise<string | undefined> }
}

/** How the data APIs of projects work. */
export const assembleDataApi = ({ db, record, runSql, settings }: Parts) =>
  dataApiRoutes(
    createDataApi({
      store: settingsStore(db, runSql),
      record,
      jwtSecret: settings.jwtSecret,
    }),
  )
