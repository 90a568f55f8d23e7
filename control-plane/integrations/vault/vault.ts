import type { Output, Parsed } from '#contract/endpoint'
import type { vault as api, VaultKey } from '#contract/integrations/vault'
import { ApiError } from '#kit/errors'
import type { Audited, By } from '../../audited.ts'
import type { KeysState, VaultKeyStore } from './keys-store.ts'
import type { VaultSecretStore } from './secrets-store.ts'

type Deps = {
  keys: VaultKeyStore
  stored: VaultSecretStore
  audited: Audited
  /** False where the server, and with it the key, is somebody else's. */
  hasKeys: boolean
}

/** Of the vault of a project. Values pass through; the audit log has names. */
export function createVault({ keys, stored, audited, hasKeys }: Deps) {
  function keyOf({ rows, isRotating, lastFailure }: KeysState): VaultKey | null {
    const current = rows.find(({ state }) => state === 'current')
    if (!current) return null
    const isLeft = rows.some(({ state }) => state === 'retiring')
    return {
      id: current.id,
      made_at: current.made_at.toISOString(),
      rotating: isRotating,
      failure: isLeft && !isRotating ? lastFailure : null,
      former: rows.filter(({ state }) => state === 'former').length,
    }
  }

  async function known(ref: string, id: string): Promise<{ id: string; name: string | null }> {
    const found = await stored.find(ref, id)
    if (!found) throw new ApiError('not_found', `There is no secret ${id}`)
    return { id, ...found }
  }

  return {
    async state(ref: string): Promise<Output<typeof api.state>> {
      const projectId = await keys.projectId(ref)
      if (projectId === undefined) throw new ApiError('project_not_found')
      const extension = await stored.extension(ref)
      const before = hasKeys ? await keys.list(projectId) : []
      const secrets = extension.installed ? await stored.list(ref) : []
      const after = hasKeys ? await keys.state(ref, projectId) : undefined
      // The secrets lie in another database: their keys were in use before they were read, or after, where a rotation began or ended.
      const opening = new Set(
        [...before, ...(after?.rows ?? [])]
          .filter(({ state }) => state !== 'former')
          .map(({ id }) => id),
      )
      return {
        ...extension,
        secrets: secrets.map(({ key, ...secret }) => ({
          ...secret,
          opens: !hasKeys || (key !== null && opening.has(key)),
        })),
        key: after ? keyOf(after) : null,
      }
    },

    create: (by: By, { name, description, value }: Parsed<typeof api.create>) =>
      audited(by, 'vault.create', async () => {
        const id = await named(name, () => stored.create(by.ref, { name, description, value }))
        return { id, change: { after: { id, name: name ?? null } } }
      }).then(({ id }) => ({ id })),

    update: (by: By, { id, name, description, value }: Parsed<typeof api.update>) =>
      audited(by, 'vault.update', async () => {
        const before = await known(by.ref, id)
        await named(name, () => stored.update(by.ref, { id, name, description, value }))
        const changed = Object.entries({ name, description, value }).flatMap(([what, to]) =>
          to === undefined ? [] : what,
        )
        return { change: { before, after: { id, name: name ?? before.name, changed } } }
      }).then(() => ({ id })),

    remove: (by: By, id: string) =>
      audited(by, 'vault.remove', async () => {
        const before = await known(by.ref, id)
        await stored.remove(by.ref, id)
        return { change: { before } }
      }).then(() => ({ id })),

    /** Nobody is told a value of which the audit log does not say so. */
    reveal: (by: By, id: string) =>
      audited(by, 'vault.reveal', async () => {
        const secret = await known(by.ref, id)
        const value = await stored.value(by.ref, id)
        if (value === undefined) throw new ApiError('not_found', `There is no secret ${id}`)
        return { value, change: { after: secret } }
      }).then(({ value }) => ({ value })),
  }
}
export type Vault = ReturnType<typeof createVault>

async function named<T>(name: string | undefined, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const isTaken = error instanceof ApiError && error.message.includes('secrets_name_idx')
    throw isTaken ? new ApiError('conflict', `There is a secret named ${name}`) : error
  }
}
