import { dataApiDefaults } from '#contract/data-api/data-api'
import type { Action } from '#contract/permissions'
import { publicUrl } from '#contract/projects/project-address'
import type { ProjectSettings } from '#contract/projects/projects'
import { ApiError } from '#kit/errors'
import type { Caller } from '#kit/http'
import type { Secrets } from '#kit/secrets'
import { projectIdentity, type ProjectSecrets } from './keys.ts'
import type { Shaping } from './shape.ts'
import type { ProjectRow, ProjectStore } from './store.ts'

type Deps = {
  store: ProjectStore
  secrets: Secrets
  shaping: Shaping
  /** Keys that are no tokens, one of each kind: what is shown where the legacy ones are disabled. */
  firstKeys: (ref: string) => Promise<{ publishable?: string; secret?: string }>
  /** The schemas of its data API, with commas. Asked of a project that runs. */
  exposedSchemas: (ref: string) => Promise<string>
  can: (caller: Caller, ref: string, action: Action, resource: string) => Promise<boolean>
}

/** The database cannot be asked at the moment. */
const awayCodes = new Set<string>([
  'project_unreachable',
  'service_unavailable',
  'project_not_found',
])

/** Keys and addresses of a project. What the caller may not read is left out. */
export function createSettings({ store, secrets, shaping, firstKeys, can, ...deps }: Deps) {
  async function rowOf(ref: string) {
    const row = await store.find(ref)
    if (!row) throw new ApiError('project_not_found')
    return row
  }

  const secretsOf = ({ ref, sealed_secrets }: ProjectRow) =>
    // Written by newProjectSecrets and sealed since.
    JSON.parse(secrets.open(sealed_secrets, projectIdentity(ref))) as ProjectSecrets

  const jwtSecretFor = async (caller: Caller, row: ProjectRow) =>
    (await can(caller, row.ref, 'read:Read', 'field.jwt_secret'))
      ? { jwt_secret: secretsOf(row).jwtSecret }
      : {}

  /** What is exposed stands in the database; of one that does not answer, what every project begins with is said. */
  async function schemasOf({ ref, status }: ProjectRow): Promise<string> {
    if (status !== 'ACTIVE_HEALTHY') return dataApiDefaults.db_schema
    try {
      return await deps.exposedSchemas(ref)
    } catch (error) {
      if (error instanceof ApiError && awayCodes.has(error.code)) return dataApiDefaults.db_schema
      throw error
    }
  }

  async function get(caller: Caller, ref: string): Promise<ProjectSettings> {
    const row = await rowOf(ref)
    const own = secretsOf(row)
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
    const endpoint = publicUrl(ref, row, shaping.projectUrl)
    return {
      app_config: { db_schema: await schemasOf(row), endpoint },
      cloud_provider: row.cloud_provider,
      db_dns_name: shaping.databaseHost,
      db_host: shaping.databaseHost,
      db_ip_addr_config: 'ipv4',
      db_name: shaping.names.database,
      db_port: row.db_address?.port ?? null,
      db_user: shaping.names.customer,
      inserted_at: row.inserted_at.toISOString(),
      is_sensitive: false,
      ...(await jwtSecretFor(caller, row)),
      name: row.name,
      ref,
      region: row.region,
      service_api_keys: shown,
      ssl_enforced: row.ssl_enforced,
      status: row.status,
    }
  }

  return {
    get,
    /** Undefined for who may not read it. */
    jwtSecret: async (caller: Caller, ref: string) =>
      (await jwtSecretFor(caller, await rowOf(ref))).jwt_secret,
  }
}
