import type { Provider } from '#compute/provider'
import { ApiError } from '#kit/errors'
import type { Job, JobHandler } from '#kit/jobs'
import type { EachSubject } from '#kit/subjects'
import type { Secrets } from '#kit/secrets'
import type { Audited, By } from '../../audited.ts'
import type { AcceptJob } from '../../operations/jobs/store.ts'
import type { Db } from '../../platform-database/database.ts'
import { newVaultKey } from './keyring.ts'
import { rotationJob, type VaultKeyStore } from './keys-store.ts'
import type { VaultSecretStore } from './secrets-store.ts'

type Deps = {
  db: Db
  keys: VaultKeyStore
  stored: Pick<VaultSecretStore, 'reseal'>
  compute: Provider
  secrets: Secrets
  audited: Audited
  accept: AcceptJob
  startJob: (job: Job) => Promise<void>
  each: EachSubject
  now: () => Date
}

const retries = { attempts: 4, seconds: 1 }

/**
 * From one key to the next. The row of the new one comes first, then its file beside the server, from when on it seals; then all
 * that the others have sealed is sealed with it, under a lock that writers wait for; then the others retire, and only then do their
 * files go. Each step can be run again, and at any moment every secret opens.
 */
export function createRotation({ db, keys, stored, compute, secrets, ...deps }: Deps) {
  const { audited, accept, startJob, each, now } = deps

  async function idOf(ref: string): Promise<string> {
    const id = await keys.projectId(ref)
    if (id === undefined) throw new ApiError('project_not_found')
    return id
  }
  const lay = async (ref: string) => compute.layVaultKeys?.(ref)
  const retiring = async (ref: string) =>
    (await keys.list(await idOf(ref))).filter(({ state }) => state === 'retiring')

  /** What was seen to be retiring before is what is sealed anew; a restore meanwhile puts keys to use again (`since`). */
  async function reseal(ref: string) {
    const old = (await retiring(ref)).map(({ id, since }) => ({ id, since }))
    await stored.reseal(
      ref,
      old.map(({ id }) => id),
    )
    return old
  }

  const rotate: JobHandler = async ({ subject: ref }, step) => {
    await step('lay', () => lay(ref), retries)
    const old = await step('reseal', () => reseal(ref), retries)
    await step('retire', () => keys.retire(old), retries)
    await step('take-away', () => lay(ref), retries)
  }

  async function acceptFor(ref: string): Promise<void> {
    const job = await db.transaction().execute((tx) => accept(tx, rotationJob, ref))
    await startJob(job)
  }

  return {
    workflows: { [rotationJob]: rotate },

    /** @throws ApiError conflict while a rotation is under way, or the project does not run */
    async rotate(by: By): Promise<{ id: string }> {
      if (!compute.layVaultKeys)
        throw new ApiError(
          'not_on_this_installation',
          'This database is run by its operator, who has its key',
        )
      const { id, job } = await audited(by, 'vault.rotate', async (tx, project) => {
        if (project.status !== 'ACTIVE_HEALTHY')
          throw new ApiError('conflict', 'The project must be running to rotate its key')
        if (await keys.isRotating(by.ref, tx))
          throw new ApiError('conflict', 'The key is already being rotated')
        const left = (await keys.list(project.id, tx)).some(({ state }) => state === 'retiring')
        if (!left) {
          await keys.move(project.id, ['current'], 'retiring', tx)
          await keys.add(newVaultKey(secrets, project.id), tx)
        }
        const current = (await keys.list(project.id, tx)).find(({ state }) => state === 'current')
        if (!current) throw new Error(`Project ${by.ref} has no key for its vault`)
        const accepted = await accept(tx, rotationJob, by.ref)
        return { id: current.id, job: accepted, change: { after: { key: current.id } } }
      })
      await startJob(job)
      return { id }
    },

    /** Before data of an earlier day take the place of those of now: the keys of that day open again. */
    async reopen(ref: string): Promise<void> {
      await keys.move(await idOf(ref), ['former', 'retiring'], 'retiring')
    },

    /** After that, or after it has failed: what they have sealed is sealed with the current one, and they retire again. */
    async settle(ref: string): Promise<void> {
      if ((await keys.move(await idOf(ref), ['former', 'retiring'], 'retiring')) > 0)
        await acceptFor(ref)
    },

    async round(): Promise<void> {
      await each('vaults with an old key', await keys.unsettled(), String, acceptFor)
      await keys.removeUnneeded(now())
    },
  }
}
