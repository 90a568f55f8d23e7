import type { DatabaseAddress, ProjectSpec } from '#compute/provider'
import type { Job, JobHandler, Step } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { Tx } from '../../platform-database/database.ts'
import type { Keeping } from './compute.ts'
import { attempt, type Making } from './making.ts'
import type { CopyRow, RestoreStore } from './restore-store.ts'
import { day } from './retention.ts'
import type { SettleJob } from './restoring.ts'
import type { BackupStore } from './store.ts'

type Deps = {
  store: BackupStore
  restores: RestoreStore
  making: Pick<Making, 'copy'>
  keeping: Keeping
  specOf: (ref: string) => Promise<ProjectSpec>
  /** Sets at the new server what holds for direct connections. */
  hold: (ref: string) => Promise<void>
  undoCreation: (ref: string) => Promise<void>
  addressOf: (ref: string) => Promise<DatabaseAddress>
  settle: SettleJob
  now: () => Date
  log: Log
}

const retries = { attempts: 4, seconds: 1 }
const untilDone = { attempts: 12, seconds: 1 }
/** A backup of the same project that is being made already is waited for. */
const longestWaitMs = 3_600_000
const lookMs = 500

/**
 * Copies of projects that run, as branches are: a backup is made for the copy alone, is not read back since the copy shows whether it is
 * good, and goes with the job. What is to be changed stands in the row of the order, so a list that is edited meanwhile changes nothing.
 */
export function createCopying(deps: Deps) {
  const { store, restores, making, keeping, specOf, log } = deps

  async function rowOf(ref: string, tx?: Tx): Promise<CopyRow> {
    const row = await restores.copyOf(ref, tx)
    if (!row) throw new Error(`Nothing says what ${ref} is a copy of`)
    return row
  }
  async function backupOf(ref: string): Promise<string> {
    const { backup_id: id } = await rowOf(ref)
    if (id === null) throw new Error(`No backup was made for ${ref}`)
    return id
  }

  /** The row of a backup of the source; undefined while another one of it is being made. */
  const reserve = (ref: string) =>
    store.transaction(async (tx) => {
      const { id, source_id: projectId, source_ref, backup_id: known } = await rowOf(ref, tx)
      if (known !== null && (await store.ofId(known, tx))) return known
      await store.lock(tx, source_ref)
      const insertedAt = deps.now()
      const expiresAt = new Date(insertedAt.getTime() + day)
      const row = await store.insert(tx, { projectId, reason: 'branch', insertedAt, expiresAt })
      if (row) await restores.setBackup(tx, id, row.id)
      return row?.id
    })

  async function reserved(ref: string): Promise<void> {
    const end = performance.now() + longestWaitMs
    while ((await reserve(ref)) === undefined) {
      if (performance.now() > end)
        throw new Error('Another backup of the project is still being made')
      await new Promise((resolve) => setTimeout(resolve, lookMs))
    }
  }

  async function restore({ id: order, subject: ref }: Job): Promise<void> {
    const { source_ref, changes } = await rowOf(ref)
    const from = { ref: source_ref, id: await backupOf(ref) }
    await keeping.restore(await specOf(ref), from, order, changes)
    await deps.hold(ref)
  }

  async function letGo(ref: string): Promise<void> {
    const { backup_id: id, source_ref } = await rowOf(ref)
    if (id === null) return
    await keeping.remove({ ref: source_ref, id })
    await store.forget(id)
  }

  /** Makes the copy that is ordered last. Undefined when all is well, else why not; the project is then not there. */
  async function copy(job: Job, step: Step): Promise<string | undefined> {
    const { subject: ref } = job
    const begin = async () => restores.set((await rowOf(ref)).id, 'IN_PROGRESS')
    await step('begin-copy', begin, retries)
    const save = async () => {
      const { takenAt } = await making.copy(await backupOf(ref))
      await restores.setMoment((await rowOf(ref)).id, takenAt)
    }
    const failure =
      (await attempt(step, 'reserve', () => reserved(ref), log)) ??
      (await attempt(step, 'save', save, log)) ??
      (await attempt(step, 'restore', () => restore(job), log))
    await step('let-go', () => letGo(ref), untilDone)
    const end = async () =>
      restores.set((await rowOf(ref)).id, failure === undefined ? 'COMPLETED' : 'FAILED')
    await step('end-copy', end, retries)
    return failure
  }

  const make: JobHandler = async (job, step) => {
    const { subject: ref } = job
    const failure = await copy(job, step)
    if (failure === undefined) {
      const done = async () =>
        deps.settle(job, 'COMING_UP', 'ACTIVE_HEALTHY', { address: await deps.addressOf(ref) })
      await step('finish', done, retries)
      return
    }
    await step('clean', () => deps.undoCreation(ref), untilDone)
    const end = () => deps.settle(job, 'COMING_UP', 'INIT_FAILED', { address: null, failure })
    await step('settle', end, retries)
  }
  return { copy, workflows: { 'project.copy': make } }
}
export type Copying = ReturnType<typeof createCopying>
