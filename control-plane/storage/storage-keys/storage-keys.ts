import { randomBytes, randomUUID } from 'node:crypto'
import { maxStorageKeys, type StorageKey } from '#contract/storage/storage-keys'
import { ApiError } from '#kit/errors'
import type { Secrets } from '#kit/secrets'
import type { Audited, By } from '../../audited.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { StorageKeyRow, StorageKeyStore } from './store.ts'

type Deps = {
  store: StorageKeyStore
  secrets: Pick<Secrets, 'seal' | 'open'>
  audited: Audited
}

/** A sealed secret opens for its own row only. */
const identityOf = (id: string) => `storage key ${id}`

/** What programs sign requests of the S3 protocol with. A secret is answered once, to who makes it. */
export function createStorageKeys({ store, secrets, audited }: Deps) {
  /** One change of the keys of a project, with its audit entry. */
  async function change<T extends StorageKeyRow>(
    by: By,
    kind: 'create' | 'remove',
    work: (tx: Tx, projectId: string, rows: readonly StorageKeyRow[]) => Promise<T>,
  ): Promise<T> {
    const { row } = await audited(by, `storageKeys.${kind}`, async (tx, project) => {
      const changed = await work(tx, project.id, await store.ofProject(by.ref, tx))
      const { id, description, access_key } = changed
      const entry = { id, description, access_key }
      return { row: changed, change: { [kind === 'create' ? 'after' : 'before']: entry } }
    })
    return row
  }

  return {
    list: async (ref: string) => ({ data: (await store.ofProject(ref)).map(shown) }),

    async create(description: string, who: By) {
      const made = await change(who, 'create', async (tx, projectId, rows) => {
        if (rows.length >= maxStorageKeys) throw new ApiError('too_many_storage_keys')
        const key = {
          id: randomUUID(),
          description,
          access_key: randomBytes(16).toString('hex'),
          created_at: new Date(),
        }
        const secret = randomBytes(32).toString('hex')
        const sealed_secret = secrets.seal(secret, identityOf(key.id))
        const created_by = who.caller.userId
        await store.insert(tx, { ...key, project_id: projectId, sealed_secret, created_by })
        return { ...key, created_by: who.caller.email, secret }
      })
      return { ...shown(made), secret_key: made.secret }
    },

    async remove(id: string, who: By) {
      const removed = await change(who, 'remove', async (tx, _, rows) => {
        const row = rows.find((each) => each.id === id)
        if (!row) throw new ApiError('storage_key_not_found')
        await store.remove(tx, id)
        return row
      })
      return shown(removed)
    },

    /** For the service itself, secrets in clear. */
    async forService(projectId: string) {
      const rows = await store.sealed(projectId)
      return rows.map(({ id, access_key, sealed_secret }) => ({
        accessKey: access_key,
        secretKey: secrets.open(sealed_secret, identityOf(id)),
      }))
    },
  }
}
export type StorageKeys = ReturnType<typeof createStorageKeys>

const shown = ({
  id,
  description,
  access_key,
  created_at,
  created_by,
}: StorageKeyRow): StorageKey => ({
  id,
  description,
  access_key,
  created_at: created_at.toISOString(),
  created_by,
})
