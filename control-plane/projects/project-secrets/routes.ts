import { v1Secrets as api } from '#contract/v1/v1-secrets'
import { implement } from '#kit/http'
import type { ProjectSecretsOf } from './project-secrets.ts'

export const projectSecretRoutes = (secrets: ProjectSecretsOf) => [
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
