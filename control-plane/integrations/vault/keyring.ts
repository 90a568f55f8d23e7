import { randomBytes, randomUUID } from 'node:crypto'
import type { VaultKeysOf } from '#compute/provider'
import type { Secrets } from '#kit/secrets'
import type { Db } from '../../platform-database/database.ts'
import { vaultKeyStore } from './keys-store.ts'

/** Sealed for the key's own row: the bytes of one do not open as another's. */
const identityOf = (id: string) => `vault key ${id}`

/** A new key as a row has it. */
export function newVaultKey(secrets: Secrets, project_id: string) {
  const id = randomUUID()
  return {
    id,
    project_id,
    sealed_key: secrets.seal(randomBytes(32).toString('hex'), identityOf(id)),
  }
}

/** The keys that the server of a project is to have. A project gets its first one when it first starts. */
export function createVaultKeyring(db: Db, secrets: Secrets): VaultKeysOf {
  const store = vaultKeyStore(db)
  return async (ref) => {
    const projectId = await store.projectId(ref)
    if (projectId === undefined) throw new Error(`No row for project ${ref}`)
    let rows = await store.list(projectId)
    if (!rows.some(({ state }) => state === 'current')) {
      await store.add(newVaultKey(secrets, projectId))
      rows = await store.list(projectId)
    }
    const current = rows.find(({ state }) => state === 'current')
    if (!current) throw new Error(`Project ${ref} has no key for its vault`)
    const given = rows.filter(({ state }) => state !== 'former')
    return {
      current: current.id,
      keys: new Map(
        given.map(({ id, sealed_key }) => [
          id,
          Buffer.from(secrets.open(sealed_key, identityOf(id)), 'hex'),
        ]),
      ),
      gone: rows.filter(({ state }) => state === 'former').map(({ id }) => id),
    }
  }
}
