import type { Platform } from '../../platform.ts'
import { createAuthConfig, type AuthConfigs } from './auth-config.ts'
import { createHidden } from './hidden.ts'
import { createHookFunctions } from './hook-functions.ts'
import { authConfigStore } from './store.ts'
import type { Tx } from '../../platform-database/database.ts'
import { settlePhones } from './phone-add-on-store.ts'
import { createStored } from './stored.ts'
import { createTestMail, type SendTestMail } from './test-mail.ts'
import { authConfig as api } from '#contract/auth/auth-config'
import { implement } from '#kit/http'

/** How the auth services of projects work. */
export function authConfigFeature(platform: Platform) {
  const { db, audited, secrets, mailerAutoconfirm, localMailbox, now } = platform
  const configs = createAuthConfig({
    store: authConfigStore(db),
    stored: createStored({
      secrets,
      // Where nobody could send the mail, sign-ups are confirmed at once.
      installed: { MAILER_AUTOCONFIRM: mailerAutoconfirm },
    }),
    hidden: createHidden(secrets),
    audited,
    hasOutbox: localMailbox,
    hookProblems: createHookFunctions(platform),
    settlePhones: (tx, ref) => settlePhones(tx, now(), { ref }),
  })
  return {
    configs,
    /** After a change of an organization's plan. */
    planChanged: (tx: Tx, organizationId: string, at: Date) =>
      settlePhones(tx, at, { organizationId }),
    routes: authConfigRoutes(configs, createTestMail(platform.dataPlane)),
    /** What a project has chosen, for its auth service. */
    chosenBy: configs.forService,
  }
}

const authConfigRoutes = (configs: AuthConfigs, sendTestMail: SendTestMail) => [
  implement(api.get, ({ ref }) => configs.get(ref)),
  implement(api.update, ({ ref, ...changes }, caller, origin) =>
    configs.update(caller, ref, changes, origin),
  ),
  implement(api.updateHooks, ({ ref, ...changes }, caller, origin) =>
    configs.update(caller, ref, changes, origin),
  ),
  implement(api.testMail, async ({ ref, ...mail }, caller) => ({
    // To nobody else: what is sent is the caller's own text.
    ...(await sendTestMail(ref, caller.email, mail)),
    recipient: caller.email,
  })),
]
