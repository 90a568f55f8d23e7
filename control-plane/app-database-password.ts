import type { Secrets } from '#kit/secrets'
import type { RecordChange } from './audit/audit.ts'
import { createApply } from './database-password/apply.ts'
import { createDatabasePassword } from './database-password/database-password.ts'
import { databasePasswordRoutes } from './database-password/routes.ts'
import { databasePasswordStore } from './database-password/store.ts'
import type { Db } from './database/database.ts'
import type { ControlPlaneOptions } from './options.ts'
import { projectIdentity, type ProjectSecrets } from './projects/keys.ts'
import type { ProjectStore } from './projects/store.ts'

type Parts = {
  db: Db
  record: RecordChange
  secrets: Secrets
  projects: Pick<ProjectStore, 'tell'>
  options: Pick<ControlPlaneOptions, 'dataPlaneUrl' | 'internalToken' | 'log'>
}

export function assembleDatabasePassword({ db, record, secrets, projects, options }: Parts) {
  function reseal(ref: string, sealed: string, dbPassword: string): string {
    // Written by newProjectSecrets and sealed since.
    const own = JSON.parse(secrets.open(sealed, projectIdentity(ref))) as ProjectSecrets
    return secrets.seal(JSON.stringify({ ...own, dbPassword }), projectIdentity(ref))
  }
  const store = databasePasswordStore(db)
  return databasePasswordRoutes(
    createDatabasePassword({
      store,
      record,
      reseal,
      apply: createApply(options),
      tell: projects.tell,
    }),
  )
}
