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
  /** Keys that are no tokens, one of each kind: what is shown where the legacy ones are disabled. */
  firstKeys: (ref: string) => Promise<{ publishable?: string; secret?: string }>
  can: (caller: Caller, ref: string, action: Action, resource: string) => Promise<boolean>
}

/** Keys and addresses of a project. What the caller may not read is left out. */
export function createSettings({ store, secrets, shaping, firstKeys, can }: Deps) {
  return async (caller: Caller, ref: string): Promise<ProjectSettings> => {
    const row = await store.find(ref)
    if (!row) throw new ApiError('project_not_found')
    // Written by newProjectSecrets and sealed since.
    const own = JSON.parse(secrets.open(row.sealed_secrets, projectIdentity(ref))) as ProjectSecrets
    const mayRead = (resource: string) => can(caller, ref, 'read:Read', resource)
    const isLegacy = row.legacy_keys_disabled_at === null
    const first = isLegacy ? {} : await firstKeys(ref)
    const keys = [
      {
        api_key: isLegacy ? own.anonKey : first.publishable,
        name: isLegacy ? 'anon key' : 'publishable key',
        tags: 'anon',
        resource: 'service_api_keys',
      },
      {
        api_key: isLegacy ? own.serviceKey : first.secret,
        name: isLegacy ? 'service_role key' : 'secret key',
        tags: 'service_role',
        resource: 'service_api_keys.service_role_key',
      },
    ]
    const shown = []
    for (const { resource, api_key, ...key } of keys)
      if (api_key !== undefined && (await mayRead(resource))) shown.push({ api_key, ...key })
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
