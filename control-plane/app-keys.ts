import { ApiError } from '#kit/errors'
import { createSafeFetch } from '#kit/network/safe-fetch'
import type { Secrets } from '#kit/secrets'
import type { createAccess } from './access/access.ts'
import { createApiKeys } from './projects/api-keys/api-keys.ts'
import { apiKeyRoutes } from './projects/api-keys/routes.ts'
import { apiKeyStore } from './projects/api-keys/store.ts'
import type { RecordChange } from './organizations/audit/audit.ts'
import type { Db } from './platform-database/database.ts'
import type { ControlPlaneOptions } from './options.ts'
import { projectIdentity, type ProjectSecrets } from './projects/projects/keys.ts'
import { projectEndpoint } from './projects/projects/shape.ts'
import type { ProjectStore } from './projects/projects/store.ts'
import { signingKeyRoutes } from './projects/signing-keys/routes.ts'
import { createSigningKeys } from './projects/signing-keys/signing-keys.ts'
import { signingKeyStore } from './projects/signing-keys/store.ts'
import { thirdPartyAuthRoutes } from './auth/third-party-auth/routes.ts'
import { thirdPartyAuthStore } from './auth/third-party-auth/store.ts'
import { createThirdPartyAuths } from './auth/third-party-auth/third-party-auth.ts'

type Parts = {
  db: Db
  record: RecordChange
  secrets: Secrets
  projects: Pick<ProjectStore, 'tell' | 'find'>
  can: ReturnType<typeof createAccess>['can']
  options: Pick<ControlPlaneOptions, 'projectUrl' | 'fetch'>
}

/** What signs the tokens of a project's users, and what its clients show. */
export function assembleKeys({ db, record, secrets, projects, can, options }: Parts) {
  const { tell } = projects
  async function legacyKeysOf(ref: string) {
    const row = await projects.find(ref)
    if (!row) throw new ApiError('project_not_found')
    // Written by newProjectSecrets and sealed since.
    return JSON.parse(secrets.open(row.sealed_secrets, projectIdentity(ref))) as ProjectSecrets
  }
  const apiKeys = createApiKeys({
    store: apiKeyStore(db),
    secrets,
    record,
    tell,
    can,
    legacyKeysOf,
  })
  const thirdParties = createThirdPartyAuths({
    store: thirdPartyAuthStore(db),
    fetch: options.fetch ?? createSafeFetch({ timeoutMs: 5000 }),
    record,
    tell,
    issuerOf: (ref) => `${projectEndpoint(ref, options.projectUrl)}/auth/v1`,
  })
  const signingKeys = createSigningKeys({ store: signingKeyStore(db), secrets, record, tell })
  return {
    /** What a project begins with. */
    first: { addApiKeys: apiKeys.addFirst, signing: signingKeys.first },
    oldestOf: apiKeys.oldestOf,
    forService: {
      signingKeys: signingKeys.forService,
      thirdPartyAuth: thirdParties.forService,
      opaqueKeys: apiKeys.forService,
    },
    routes: [
      ...signingKeyRoutes(signingKeys),
      ...thirdPartyAuthRoutes(thirdParties),
      ...apiKeyRoutes(apiKeys),
    ],
  }
}
