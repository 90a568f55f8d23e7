import { createHmac } from 'node:crypto'
import { ApiError } from '#kit/errors'
import type { Secrets } from '#kit/secrets'
import type { Audited, By } from '../../audited.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { ProjectSecretStore } from './store.ts'

type Deps = {
  store: ProjectSecretStore
  audited: Audited
  secrets: Secrets
}
type Secret = { name: string; value: string }

/** Secrets of one project at most. */
const max = 100

export function createProjectSecrets({ store, audited, secrets }: Deps) {
  const identity = (ref: string, name: string) => `secret ${name} of project:${ref}`

  /** Under a key of the project: the same value has another digest elsewhere. */
  const digestOf = (ref: string, { name, value }: Secret) =>
    createHmac('sha256', secrets.derive(`digests of secrets of project ${ref}`))
      .update(`${name}\n${value}`)
      .digest('hex')

  /** Names go into the audit log, values nowhere. */
  async function change(
    by: By,
    action: string,
    work: (tx: Tx, projectId: string) => Promise<string[]>,
  ): Promise<void> {
    await audited(by, action, async (tx, { id }) => {
      const names = await work(tx, id)
      return names.length === 0 ? {} : { change: { names } }
    })
  }

  return {
    list: async (ref: string) =>
      (await store.list(ref)).map(({ name, digest, updated_at }) => ({
        name,
        value: digest,
        updated_at: updated_at.toISOString(),
      })),

    /** For what the project runs. */
    values: async (ref: string): Promise<Record<string, string>> =>
      Object.fromEntries(
        (await store.sealed(ref)).map(({ name, sealed_value }) => [
          name,
          secrets.open(sealed_value, identity(ref, name)),
        ]),
      ),

    set: (list: readonly Secret[], by: By) =>
      change(by, 'secrets.set', async (tx, projectId) => {
        // Of a name that is given twice, the last counts; one statement cannot write a row twice.
        const last = [...new Map(list.map((secret) => [secret.name, secret])).values()]
        await store.put(
          tx,
          projectId,
          last.map((secret) => ({
            name: secret.name,
            sealed_value: secrets.seal(secret.value, identity(by.ref, secret.name)),
            digest: digestOf(by.ref, secret),
          })),
        )
        if ((await store.count(tx, projectId)) > max) {
          throw new ApiError('invalid_input', `A project can have up to ${max} secrets`)
        }
        return last.map(({ name }) => name)
      }),

    remove: (names: readonly string[], who: By) =>
      change(who, 'secrets.remove', (tx, projectId) => store.remove(tx, projectId, names)),
  }
}
export type ProjectSecretsOf = ReturnType<typeof createProjectSecrets>
