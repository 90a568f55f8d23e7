import type { ProjectConnection } from '#contract/internal'
import { projectEndpoint, publicUrl } from '#contract/projects/project-address'
import { computeSizes, serviceConnections } from '#contract/projects/compute-sizes'
import type { RealtimeSettings } from '#contract/realtime/realtime'
import { ApiError } from '#kit/errors'
import type { Secrets } from '#kit/secrets'
import { projectIdentity, type ProjectSecrets } from './keys.ts'
import type { Shaping } from './shape.ts'
import type { ProjectStore } from './store.ts'

type Deps = {
  store: ProjectStore
  secrets: Secrets
  shaping: Shaping
  /** How the project's auth service works, by key; what is not named has its default. */
  authSettings: (ref: string) => Promise<Record<string, unknown>>
  /** How much its realtime service carries. */
  realtimeSettings: (ref: string) => Promise<RealtimeSettings>
  /** What its tokens are signed and verified by. */
  signingKeys: (ref: string, jwtSecret: string) => Promise<ProjectConnection['signingKeys']>
  /** Whose tokens it takes besides its own. */
  thirdPartyAuth: (ref: string) => Promise<ProjectConnection['thirdPartyAuth']>
  /** The keys of its clients that are no tokens. */
  opaqueKeys: (projectId: string) => Promise<ProjectConnection['opaqueKeys']>
  /** What signs requests of its S3 protocol. */
  storageKeys: (projectId: string) => Promise<ProjectConnection['storageKeys']>
  /** Its read replicas that were made. */
  replicas: (projectId: string) => Promise<ProjectConnection['replicas']>
  /** How its storage service works. */
  storage: (ref: string) => Promise<ProjectConnection['settings']['storage']>
}

/** What the data plane is told of a project: where its database is and how to enter it. */
export function createConnections({ store, secrets, shaping, ...deps }: Deps) {
  const sealingKeyOf = (ref: string) => secrets.derive(`sealing of project ${ref}`)

  return async (ref: string): Promise<ProjectConnection> => {
    const row = await store.find(ref)
    // Without an address there is nothing to connect to yet; to the data plane it does not exist.
    if (!row?.db_address) throw new ApiError('project_not_found')
    // Written by newProjectSecrets and sealed since.
    const own = JSON.parse(secrets.open(row.sealed_secrets, projectIdentity(ref))) as ProjectSecrets
    const url = projectEndpoint(ref, shaping.projectUrl)
    return {
      ref,
      status: row.status,
      restricted: row.restriction_status === 'restricted',
      mayDelete: row.restriction_cause === 'quota',
      writableUntil: row.writable_until?.toISOString() ?? null,
      database: {
        name: 'postgres',
        ...row.db_address,
        servicePassword: own.servicePassword,
        connections: serviceConnections(computeSizes[row.compute_size].directConnections),
      },
      replicas: await deps.replicas(row.id),
      jwtSecret: own.jwtSecret,
      signingKeys: await deps.signingKeys(ref, own.jwtSecret),
      thirdPartyAuth: await deps.thirdPartyAuth(ref),
      sealingKey: sealingKeyOf(ref),
      dataSealed:
        row.sealing_ref === null
          ? undefined
          : { ref: row.sealing_ref, sealingKey: sealingKeyOf(row.sealing_ref) },
      anonKey: own.anonKey,
      serviceKey: own.serviceKey,
      legacyKeysDisabledAt: row.legacy_keys_disabled_at?.toISOString(),
      opaqueKeys: await deps.opaqueKeys(row.id),
      storageKeys: await deps.storageKeys(row.id),
      restarts: row.service_restarts,
      url,
      publicUrl: publicUrl(ref, row, shaping.projectUrl),
      settings: {
        exposedSchemas: ['public', 'graphql_public'],
        extraSearchPath: ['public', 'extensions'],
        maxRows: 1000,
        keyOptional: row.keys_optional,
        auth: await deps.authSettings(ref),
        storage: await deps.storage(ref),
        realtime: await deps.realtimeSettings(ref),
      },
    }
  }
}
