import type { Platform } from '../../platform.ts'
import { createProjectSecrets, type ProjectSecretsOf } from './project-secrets.ts'
import { projectSecretStore } from './store.ts'
import { v1Secrets as api } from '#contract/v1/v1-secrets'
import { implement } from '#kit/http'

/** The secrets that edge functions run with. */
export function projectSecretsFeature({ db, audited, secrets }: Platform) {
  const store = projectSecretStore(db)
  const own = createProjectSecrets({ store, audited, secrets })
  return { routes: projectSecretRoutes(own), values: own.values }
}

const projectSecretRoutes = (secrets: ProjectSecretsOf) => [
  implement(api.secrets, ({ ref }) => secrets.list(ref)),
  implement(api.setSecrets, async ({ ref, secrets: list }, caller, origin) => {
    await secrets.set(list, { caller, ref, origin })
    return {}
  }),
  implement(api.removeSecrets, async ({ ref, names }, caller, origin) => {
    await secrets.remove(names, { caller, ref, origin })
    return {}
  }),
]
