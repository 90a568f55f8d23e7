import { vault as api } from '#contract/integrations/vault'
import { implement } from '#kit/http'
import type { Platform } from '../../platform.ts'
import { vaultKeyStore } from './keys-store.ts'
import { createRotation } from './rotation.ts'
import { vaultSecretStore } from './secrets-store.ts'
import { vaultUsesStore } from './uses-store.ts'
import { createVault } from './vault.ts'

type Needs = { runSql: Parameters<typeof vaultSecretStore>[0] }

/** Secrets that the databases of projects keep, and the keys that seal them. */
export function vaultFeature(platform: Platform, { runSql }: Needs) {
  const { db, compute, secrets, audited, jobs, each, now } = platform
  const keys = vaultKeyStore(db)
  const stored = vaultSecretStore(runSql)
  const uses = vaultUsesStore(runSql)
  const hasKeys = compute.layVaultKeys !== undefined
  const vault = createVault({ keys, stored, audited, hasKeys })
  const common = { db, keys, stored, compute, secrets, audited, each, now }
  const { workflows, rotate, reopen, settle, round } = createRotation({
    ...common,
    accept: jobs.accept,
    startJob: jobs.start,
  })
  return {
    /** Around a restore of a project's database. */
    reopen,
    settle,
    round,
    workflows,
    rounds: hasKeys ? [{ seconds: 3600, name: 'keys of vaults', run: round }] : [],
    routes: [
      implement(api.state, ({ ref }) => vault.state(ref)),
      implement(api.uses, async ({ ref }) => ({ uses: await uses.list(ref) })),
      implement(api.create, (input, caller, origin) =>
        vault.create({ caller, ref: input.ref, origin }, input),
      ),
      implement(api.update, (input, caller, origin) =>
        vault.update({ caller, ref: input.ref, origin }, input),
      ),
      implement(api.remove, ({ ref, id }, caller, origin) =>
        vault.remove({ caller, ref, origin }, id),
      ),
      implement(api.reveal, ({ ref, id }, caller, origin) =>
        vault.reveal({ caller, ref, origin }, id),
      ),
      implement(api.rotate, ({ ref }, caller, origin) => rotate({ caller, ref, origin })),
    ],
  }
}
