import type { Jobs } from '#kit/jobs'
import type { Secrets } from '#kit/secrets'
import type { EachSubject } from '#kit/subjects'
import type { RecordChange } from './organizations/audit/audit.ts'
import { createApply } from './database/database-password/apply.ts'
import { createDatabasePassword } from './database/database-password/database-password.ts'
import { databasePasswordRoutes } from './database/database-password/routes.ts'
import { databasePasswordStore } from './database/database-password/store.ts'
import type { Db } from './platform-database/database.ts'
import type { ControlPlaneOptions } from './options.ts'
import { projectIdentity, type ProjectSecrets } from './projects/projects/keys.ts'
import type { ProjectStore } from './projects/projects/store.ts'

/** Seconds between two looks for changes that were cut short. */
const pace = 15

type Parts = {
  db: Db
  record: RecordChange
  secrets: Secrets
  projects: Pick<ProjectStore, 'tell'>
  every: Jobs['every']
  each: EachSubject
  options: Pick<ControlPlaneOptions, 'dataPlaneUrl' | 'internalToken' | 'log'>
}

export function assembleDatabasePassword({
  db,
  record,
  secrets,
  projects,
  every,
  each,
  options,
}: Parts) {
  // Written by newProjectSecrets and sealed since.
  const opened = (ref: string, sealed: string) =>
    JSON.parse(secrets.open(sealed, projectIdentity(ref))) as ProjectSecrets
  const passwords = createDatabasePassword({
    store: databasePasswordStore(db),
    record,
    reseal: (ref, sealed, dbPassword) =>
      secrets.seal(JSON.stringify({ ...opened(ref, sealed), dbPassword }), projectIdentity(ref)),
    passwordOf: (ref, sealed) => opened(ref, sealed).dbPassword,
    apply: createApply(options),
    tell: projects.tell,
    each,
  })
  every(pace, 'passwords of databases', passwords.settle)
  return databasePasswordRoutes(passwords)
}
