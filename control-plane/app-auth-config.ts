import type { Secrets } from '#kit/secrets'
import type { RecordChange } from './organizations/audit/audit.ts'
import { createAuthConfig } from './auth/auth-config/auth-config.ts'
import { createHookFunctions } from './auth/auth-config/hook-functions.ts'
import { createHidden } from './auth/auth-config/hidden.ts'
import { authConfigRoutes } from './auth/auth-config/routes.ts'
import { authConfigStore } from './auth/auth-config/store.ts'
import { createStored } from './auth/auth-config/stored.ts'
import { createTestMail } from './auth/auth-config/test-mail.ts'
import type { Db } from './platform-database/database.ts'
import type { ControlPlaneOptions } from './options.ts'
import type { ProjectStore } from './projects/projects/store.ts'

type Parts = {
  db: Db
  record: RecordChange
  secrets: Secrets
  projects: Pick<ProjectStore, 'tell'>
  options: Pick<
    ControlPlaneOptions,
    'mailerAutoconfirm' | 'localMailbox' | 'dataPlaneUrl' | 'internalToken' | 'log'
  >
}

/** How the auth services of projects work. */
export function assembleAuthConfig({ db, record, secrets, projects, options }: Parts) {
  const configs = createAuthConfig({
    store: authConfigStore(db),
    stored: createStored({
      secrets,
      // Where nobody could send the mail, sign-ups are confirmed at once.
      installed: { MAILER_AUTOCONFIRM: options.mailerAutoconfirm },
    }),
    hidden: createHidden(secrets),
    record,
    tell: projects.tell,
    hasOutbox: options.localMailbox,
    hookProblems: createHookFunctions(options),
  })
  return {
    configs,
    routes: authConfigRoutes(configs, createTestMail(options)),
    /** What a project has chosen, for its auth service. */
    chosenBy: configs.forService,
  }
}
