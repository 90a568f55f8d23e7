import type { Platform } from '../../platform.ts'
import { createAuthConfig } from './auth-config.ts'
import { createHidden } from './hidden.ts'
import { createHookFunctions } from './hook-functions.ts'
import { authConfigRoutes } from './routes.ts'
import { authConfigStore } from './store.ts'
import { createStored } from './stored.ts'
import { createTestMail } from './test-mail.ts'

/** How the auth services of projects work. */
export function authConfigFeature(platform: Platform) {
  const { db, record, secrets, projects, mailerAutoconfirm, localMailbox } = platform
  const configs = createAuthConfig({
    store: authConfigStore(db),
    stored: createStored({
      secrets,
      // Where nobody could send the mail, sign-ups are confirmed at once.
      installed: { MAILER_AUTOCONFIRM: mailerAutoconfirm },
    }),
    hidden: createHidden(secrets),
    record,
    tell: projects.tell,
    hasOutbox: localMailbox,
    hookProblems: createHookFunctions(platform),
  })
  return {
    configs,
    routes: authConfigRoutes(configs, createTestMail(platform.dataPlane)),
    /** What a project has chosen, for its auth service. */
    chosenBy: configs.forService,
  }
}
