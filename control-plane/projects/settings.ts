import type { Action } from '#contract/permissions'
import type { ProjectSettings } from '#contract/projects'
import { ApiError } from '#kit/errors'
import type { Caller } from '#kit/http'
import type { Secrets } from '#kit/secrets'
import type { ProjectSecrets } from './keys.ts'
import { projectIdentity } from './projects.ts'
import { projectEndpoint, type Shaping } from './shape.ts'
import type { ProjectStore } from './store.ts'

type Deps = {
  store: ProjectStore
  secrets: Secrets
  shaping: Shaping
  can: (caller: Caller, ref: string, action: Action, resource: string) => Promise<boolean>
}

/** Keys and addresses of a project. What the caller may not read is left out. */
export function createSettings({ store, secrets, shaping, can }: Deps) {
  return async (caller: Caller, ref: string): Promise<ProjectSettings> => {
    const row = await store.find(ref)
    if (!row) throw new ApiError('project_not_found')
    // Written by newProjectSecrets and sealed since.
    const own = JSON.parse(secrets.open(row.sealed_secrets, projectIdentity(ref))) as ProjectSecrets
    const mayRead = (resource: string) => can(caller, ref, 'read:Read', resource)
    const keys = [
      { api_key: own.anonKey, name: 'anon key', tags: 'anon', resource: 'service_api_keys' },
      {
        api_key: own.serviceKey,
        name: 'service_role key',
        tags: 'service_role',
        resource: 'service_api_keys.service_role_key',
      },
    ]
    const shown = []
    for (const { resource, ...key } of keys) if (await mayRead(resource)) shown.push(key)
    const endpoint = projectEndpoint(ref, shaping.projectUrl)
    return {
      app_config: { db_schema: 'public', endpoint },
      cloud_provider: row.cloud_provider,
      db_dns_name: shaping.databaseHost,
      db_host: shaping.databaseHost,
      db_ip_addr_config: 'ipv4',
      db_name: 'postgres',
      db_port: row.db_address?.port ?? null,
      db_user: 'postgres',
      inserted_at: row.inserted_at.toISOString(),
      is_sensitive: false,
      ...((await mayRead('field.jwt_secret')) ? { jwt_secret: own.jwtSecret } : {}),
      name: row.name,
      ref,
      region: row.region,
      service_api_keys: shown,
      ssl_enforced: false,
      status: row.status,
    }
  }
}
