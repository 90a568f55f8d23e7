import type { Platform } from '../../platform.ts'
import { createProjectSecrets } from './project-secrets.ts'
import { projectSecretRoutes } from './routes.ts'
import { projectSecretStore } from './store.ts'

/** The secrets that edge functions run with. */
export function projectSecretsFeature({ db, record, secrets, projects }: Platform) {
  const store = projectSecretStore(db)
  const own = createProjectSecrets({ store, record, secrets, tell: projects.tell })
  return { routes: projectSecretRoutes(own), values: own.values }
}
