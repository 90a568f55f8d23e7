import type { Provider } from '#compute/provider'
import { selfHostedWorld } from '#contract/operations/platform-only'
import type { Secrets } from '#kit/secrets'
import type { assembleKeys } from './app-keys.ts'
import type { Db } from './platform-database/database.ts'
import { newProjectSecrets, projectIdentity } from './projects/projects/keys.ts'
import type { ProjectStore } from './projects/projects/store.ts'
import { toAddress } from './projects/projects/workflows.ts'
import { createSelfHosted } from './operations/self-hosted/self-hosted.ts'
import { selfHostedStore } from './operations/self-hosted/store.ts'

type Parts = {
  db: Db
  projects: ProjectStore
  secrets: Secrets
  compute: Provider
  keys: Pick<ReturnType<typeof assembleKeys>, 'first'>
}

/** What self-hosted mode begins with; see `createSelfHosted`. */
export function assembleSelfHosted({ db, projects, secrets, compute, keys }: Parts) {
  return createSelfHosted({
    store: selfHostedStore(db),
    secrets,
    compute,
    newSecrets: (ref) => newProjectSecrets(ref, '', new Date()),
    addKeys: keys.first.addApiKeys,
    identityOf: projectIdentity,
    async settle(address) {
      const { projectRef } = selfHostedWorld
      await projects.setAddress(projectRef, toAddress(address))
      await projects.transition(undefined, projectRef, ['COMING_UP'], 'ACTIVE_HEALTHY')
    },
  })
}
