import type { DatabaseAddress, ProjectSpec, Provider } from '#compute/provider'
import type { ProjectStatus } from '#contract/projects/project-status'
import type { Job, JobHandler } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { Keeping } from './compute.ts'
import { attempt, type Making } from './making.ts'
import type { RestoreRow, RestoreStore } from './restore-store.ts'
import type { Due } from './due.ts'
import type { BackupStore } from './store.ts'

type Outcome = { address?: DatabaseAddress | null; failure?: string }
/** Ends what the job was to do, with an audit entry where it failed. Nothing when the project is not the job's. */
export type SettleJob = (
  job: Job,
  from: ProjectStatus,
  to: ProjectStatus,
  outcome: Outcome,
) => Promise<void>

type Deps = {
  store: BackupStore
  restores: RestoreStore
  making: Pick<Making, 'make'>
  compute: Provider
  keeping: Keeping
  specOf: (ref: string) => Promise<ProjectSpec>
  hold: ReturnType<typeof createHold>
  /** Removes what an unfinished creation has left, and nothing that is whole. */
  undoCreation: (ref: string) => Promise<void>
  /** The keys of its vault: those of earlier days open again; and what they open is sealed with the one of now. */
  vault: { reopen: (ref: string) => Promise<void>; settle: (ref: string) => Promise<void> }
  /** Another history of the project has begun. */
  restored: (ref: string) => Promise<void>
  /** Of a server that runs; one that does not is started. */
  addressOf: (ref: string) => Promise<DatabaseAddress>
  settle: SettleJob
  /** Where moments can be restored to, they count anew from the first backup after this. */
  due: Pick<Due, 'makeIn'>
  log: Log
}

const retries = { attempts: 4, seconds: 1 }
const untilDone = { attempts: 12, seconds: 1 }

const rested = ({ came_from }: RestoreRow) =>
  came_from === 'INACTIVE' || came_from === 'RESTORE_FAILED'

/** How direct connections to a project's server are held. */
type Holds = { networks: readonly string[] | null; readOnly: boolean }
/** The server is new, or has what held when the backup was made: what holds now is set again. */
export const createHold =
  (compute: Provider, holdsOf: (ref: string) => Promise<Holds>) =>
  async (ref: string): Promise<void> => {
    const { networks, readOnly } = await holdsOf(ref)
    await compute.setNetworks?.(ref, networks)
    await compute.setReadOnly(ref, readOnly)
  }

/** The jobs that restore. Every step can be run again after a crash; what they go by stands in the row of the restore. */
export function createRestoring(deps: Deps): Record<string, JobHandler> {
  const { store, restores, making, compute, keeping, specOf, addressOf, settle, hold, log } = deps

  async function rowOf(ref: string) {
    const row = await restores.last(ref)
    if (!row) throw new Error(`Nothing says what ${ref} is restored from`)
    return row
  }

  async function wakes(ref: string): Promise<boolean> {
    if (await compute.probe(ref)) return true
    if (!rested(await rowOf(ref))) return false
    try {
      await compute.start(ref)
      return true
    } catch (error) {
      log.warn({ err: error, ref }, 'what is to be replaced does not start')
      return false
    }
  }

  async function restore({ id, subject: ref }: Job): Promise<void> {
    const { from } = await rowOf(ref)
    await deps.vault.reopen(ref)
    await keeping.restore(await specOf(ref), from, id)
  }

  async function finish(job: Job): Promise<void> {
    const { subject: ref } = job
    await hold(ref)
    const address = await addressOf(ref)
    await deps.restored(ref)
    await restores.set((await rowOf(ref)).id, 'COMPLETED')
    await settle(job, 'RESTORING', 'ACTIVE_HEALTHY', { address })
  }

  /** The old server is as it was, so the project goes back to what it did. */
  async function giveBack(job: Job, failure: string): Promise<void> {
    const { subject: ref } = job
    const row = await rowOf(ref)
    await restores.set(row.id, 'FAILED')
    if (rested(row)) await compute.stop(ref)
    const address = rested(row) ? undefined : await answering(ref)
    if (address) await settle(job, 'RESTORING', 'ACTIVE_HEALTHY', { address, failure })
    else await settle(job, 'RESTORING', 'RESTORE_FAILED', { failure })
  }

  async function answering(ref: string): Promise<DatabaseAddress | undefined> {
    try {
      return await addressOf(ref)
    } catch (error) {
      log.error({ err: error, ref }, 'the server that was to be replaced does not run')
      return undefined
    }
  }

  return {
    'project.restore-backup': async (job, step) => {
      const { subject: ref } = job
      const safety = await step('safety', async () => (await rowOf(ref)).safety_id)
      const wasRunning = await step('wake', () => wakes(ref))
      let failure: string | undefined
      if (safety !== null && wasRunning) {
        const why = await making.make(safety, ref, step)
        if (why !== undefined) failure = `What there is now could not be backed up first: ${why}`
      } else if (safety !== null) {
        await step('without', () => store.forget(safety))
      }
      failure ??= await attempt(step, 'restore', () => restore(job), log)
      if (failure === undefined) {
        await step('finish-restore', () => finish(job), retries)
        await deps.due.makeIn(step)
      } else await step('give-back', () => giveBack(job, failure), untilDone)
      await step('settle-vault', () => deps.vault.settle(ref), retries)
    },

    'project.clone': async (job, step) => {
      const { subject: ref } = job
      const begin = async () => restores.set((await rowOf(ref)).id, 'IN_PROGRESS')
      await step('begin', begin, retries)
      const failure = await attempt(step, 'restore', () => restore(job), log)
      if (failure === undefined) {
        const done = async () => {
          await hold(ref)
          await restores.set((await rowOf(ref)).id, 'COMPLETED')
          await settle(job, 'COMING_UP', 'ACTIVE_HEALTHY', { address: await addressOf(ref) })
        }
        await step('finish-clone', done, retries)
        return
      }
      await step('clean', () => deps.undoCreation(ref), untilDone)
      const end = async () => {
        await restores.set((await rowOf(ref)).id, 'FAILED')
        await settle(job, 'COMING_UP', 'INIT_FAILED', { address: null, failure })
      }
      await step('settle', end, retries)
    },
  }
}
