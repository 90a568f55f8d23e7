import { randomUUID } from 'node:crypto'
import {
  apiKeyTypes,
  maxApiKeys,
  roleOfKey,
  type ApiKey,
  type ApiKeyType,
  type apiKeys as api,
} from '#contract/projects/api-keys'
import type { Parsed } from '#contract/endpoint'
import type { Action } from '#contract/permissions'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Secrets } from '#kit/secrets'
import type { Audited } from '../../audited.ts'
import type { Tx } from '../../platform-database/database.ts'
import { legacyKeyOf, newApiKey, shownKey, type LegacyKeys } from './shape.ts'
import type { ApiKeyRow, ApiKeyStore, KeyedProject } from './store.ts'

type Deps = {
  store: ApiKeyStore
  secrets: Pick<Secrets, 'seal' | 'open'>
  audited: Audited
  can: (caller: Caller, ref: string, action: Action, resource: string) => Promise<boolean>
  legacyKeysOf: (ref: string) => Promise<LegacyKeys>
}

/** Whoever may read these may see secret keys whole. */
const secretKeys = 'service_api_keys.service_role_key'
/** A sealed key opens for its own row only. */
const identityOf = (id: string) => `api key ${id}`

/** The keys that clients of a project show: who may see, make and end them. */
export function createApiKeys({ store, secrets, audited, can, legacyKeysOf }: Deps) {
  const textOf = (row: ApiKeyRow) => secrets.open(row.sealed_key, identityOf(row.id))
  const shown = (row: ApiKeyRow, whole: boolean) =>
    shownKey(row, whole || row.type === 'publishable' ? textOf(row) : undefined)

  async function projectOf(ref: string): Promise<KeyedProject> {
    const project = await store.project(ref)
    if (!project) throw new ApiError('project_not_found')
    return project
  }

  /** Seeing secret keys whole is asked for twice: in the request, and of the caller's permissions. */
  async function mayReveal(caller: Caller, ref: string, reveal: boolean): Promise<boolean> {
    if (reveal) {
      const need = { action: 'read:Read', resource: secretKeys, in: 'project' } as const
      await caller.authorize(need, { ref })
    }
    return reveal
  }

  function one(rows: readonly ApiKeyRow[], id: string): ApiKeyRow {
    const row = rows.find((each) => each.id === id)
    if (!row) throw new ApiError('api_key_not_found')
    return row
  }

  function rowFor(
    projectId: string,
    input: { type: ApiKeyType; name: string; description: string | null },
  ) {
    const id = randomUUID()
    const { key, sha256, prefix } = newApiKey(input.type)
    const sealed_key = secrets.seal(key, identityOf(id))
    const { type, name, description } = input
    return {
      id,
      project_id: projectId,
      type,
      name,
      description,
      sha256,
      prefix,
      sealed_key,
      last_used_at: null,
    }
  }

  return {
    async list(caller: Caller, { ref, reveal }: Parsed<typeof api.list>): Promise<ApiKey[]> {
      const project = await projectOf(ref)
      const keys: ApiKey[] = []
      if (project.legacy_keys_disabled_at === null) {
        const { anonKey, serviceKey } = await legacyKeysOf(ref)
        if (await can(caller, ref, 'read:Read', 'service_api_keys'))
          keys.push(legacyKeyOf('anon', anonKey))
        if (await can(caller, ref, 'read:Read', secretKeys))
          keys.push(legacyKeyOf('service_role', serviceKey))
      }
      if (!(await can(caller, ref, 'read:Read', 'api_keys'))) return keys
      const whole = await mayReveal(caller, ref, reveal)
      const rows = await store.ofProject(project.id)
      return [...keys, ...rows.map((row) => shown(row, whole))]
    },

    async get(caller: Caller, { ref, id, reveal }: Parsed<typeof api.get>): Promise<ApiKey> {
      const { id: projectId } = await projectOf(ref)
      const whole = await mayReveal(caller, ref, reveal)
      return shown(one(await store.ofProject(projectId), id), whole)
    },

    async create(caller: Caller, input: Parsed<typeof api.create>, origin: Origin) {
      const { ref, type, name, description = null } = input
      if (type === 'publishable' && input.secret_jwt_template) {
        throw new ApiError('invalid_input', 'secret_jwt_template: applies only to secret keys')
      }
      const { row } = await audited(
        { caller, ref, origin },
        'apiKeys.create',
        async (tx, project) => {
          const rows = await store.ofProject(project.id, tx)
          if (rows.length >= maxApiKeys) throw new ApiError('too_many_api_keys')
          const made = await store.insert(tx, rowFor(project.id, { type, name, description }))
          if (!made) throw new ApiError('name_taken')
          return { row: made, change: { after: described(made) } }
        },
      )
      return shown(row, true)
    },

    async update(caller: Caller, input: Parsed<typeof api.update>, origin: Origin) {
      const { ref, id, reveal, name, description } = input
      const whole = await mayReveal(caller, ref, reveal)
      const { row } = await audited(
        { caller, ref, origin },
        'apiKeys.update',
        async (tx, project) => {
          const before = one(await store.ofProject(project.id, tx), id)
          const after = {
            name: name ?? before.name,
            description: description === undefined ? before.description : description,
          }
          if (after.name === before.name && after.description === before.description) {
            return { row: before }
          }
          const made = await store.update(tx, id, after)
          if (!made) throw new ApiError('name_taken')
          return { row: made, change: { before: described(before), after: described(made) } }
        },
      )
      return shown(row, whole)
    },

    async remove(caller: Caller, input: Parsed<typeof api.remove>, origin: Origin) {
      const { ref, id, reveal, was_compromised, reason } = input
      const whole = await mayReveal(caller, ref, reveal)
      const { row } = await audited(
        { caller, ref, origin },
        'apiKeys.remove',
        async (tx, project) => {
          const before = one(await store.ofProject(project.id, tx), id)
          await store.remove(tx, id)
          return {
            row: before,
            change: { before: described(before), was_compromised, reason: reason ?? null },
          }
        },
      )
      return shown(row, whole)
    },

    legacy: async (ref: string) => ({
      enabled: (await projectOf(ref)).legacy_keys_disabled_at === null,
    }),

    async setLegacy(
      caller: Caller,
      { ref, enabled }: Parsed<typeof api.setLegacy>,
      origin: Origin,
    ) {
      await audited({ caller, ref, origin }, 'apiKeys.setLegacy', async (tx, project) => {
        const before = project.legacy_keys_disabled_at === null
        if (before === enabled) return {}
        // They would open nothing, and whoever uses them would look for the reason elsewhere.
        if (enabled && !(await store.isLegacySecretGood(tx, project.id)))
          throw new ApiError('legacy_secret_revoked')
        await store.setLegacyDisabledAt(tx, project.id, enabled ? null : new Date())
        return { change: { before: { enabled: before }, after: { enabled } } }
      })
      return { enabled }
    },

    needed: async (ref: string) => ({ needed: !(await projectOf(ref)).keys_optional }),

    async setNeeded(caller: Caller, { ref, needed }: Parsed<typeof api.setNeeded>, origin: Origin) {
      await audited({ caller, ref, origin }, 'apiKeys.setNeeded', async (tx, project) => {
        const before = !project.keys_optional
        if (before === needed) return {}
        await store.setOptional(tx, project.id, !needed)
        return { change: { before: { needed: before }, after: { needed } } }
      })
      return { needed }
    },

    /** One key of each kind, with which a project begins. */
    async addFirst(tx: Tx, projectId: string): Promise<void> {
      for (const type of apiKeyTypes)
        await store.insert(tx, rowFor(projectId, { type, name: 'default', description: null }))
    },

    /** The oldest key of each kind, for pages that show one key to begin with. */
    async oldestOf(ref: string): Promise<Partial<Record<ApiKeyType, string>>> {
      const rows = await store.ofProject((await projectOf(ref)).id)
      const entries = apiKeyTypes.flatMap((type) => {
        const row = rows.find((each) => each.type === type)
        return row ? [[type, textOf(row)] as const] : []
      })
      return Object.fromEntries(entries)
    },

    /** For the gateway: what opens the project, by hash. */
    async forService(projectId: string) {
      const rows = await store.ofProject(projectId)
      return rows.map(({ type, sha256 }) => ({ sha256, role: roleOfKey[type] }))
    },

    addUses: store.addUses,
  }
}
export type ApiKeys = ReturnType<typeof createApiKeys>

const described = ({ id, type, name, description }: ApiKeyRow) => ({ id, type, name, description })
