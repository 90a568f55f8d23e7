import type { JobHandler, Step } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Copied, Keeping } from './compute.ts'
import type { BackupStore } from './store.ts'

type Deps = {
  store: BackupStore
  keeping: Keeping
  adminPasswordOf: (ref: string) => Promise<string>
  record: RecordChange
  now: () => Date
  log: Log
}

const retries = { attempts: 6, seconds: 1 }

/** Runs a part that may fail. Undefined when all is well, else why it failed. */
export async function attempt(
  step: Step,
  name: string,
  run: () => Promise<void>,
  log: Log,
): Promise<string | undefined> {
  try {
    await step(name, run)
    return undefined
  } catch (error) {
    log.error({ err: error, step: name }, 'a step of a backup or a restore failed')
    return error instanceof Error ? error.message : String(error)
  }
}

/** Makes the backup of a row and reads it back; only then it is COMPLETED. Every step can be run again after a crash. */
export function createMaking({ store, keeping, adminPasswordOf, record, now, log }: Deps) {
  async function keyOf(id: string) {
    const row = await store.ofId(id)
    if (!row) throw new Error('Nobody waits for this backup any more')
    return { ref: row.ref, id }
  }

  async function copy(id: string): Promise<Copied> {
    const key = await keyOf(id)
    const copied = await keeping.make(key, await adminPasswordOf(key.ref))
    await store.copied(id, copied)
    return copied
  }

  async function check(id: string): Promise<void> {
    const key = await keyOf(id)
    const readback = await keeping.check(key, await adminPasswordOf(key.ref))
    if (!(await store.complete(id, readback, now()))) throw new Error('It was given up meanwhile')
  }

  const fail = (id: string, failure: string) =>
    store.transaction(async (tx) => {
      const row = await store.ofId(id, tx)
      if (!row || !(await store.fail(tx, id, failure, now()))) return
      await record(tx, {
        organizationId: row.organization_id,
        actor: null,
        action: 'backups.fail',
        target: `project:${row.ref}`,
        change: { name: row.name, after: { reason: row.reason, failure } },
        origin: null,
      })
    })

  /** Undefined when it is completed, else why not; nothing is left of it then. */
  async function make(id: string, ref: string, step: Step): Promise<string | undefined> {
    const failure =
      (await attempt(step, 'copy', async () => void (await copy(id)), log)) ??
      (await attempt(step, 'check', () => check(id), log))
    if (failure === undefined) return undefined
    await step('clean', () => keeping.remove({ ref, id }), retries)
    await step('fail', () => fail(id, failure), retries)
    return failure
  }

  const handler: JobHandler = async ({ subject }, step) => {
    const ref = await step('find', async () => (await store.ofId(subject))?.ref ?? null)
    if (ref !== null) await make(subject, ref, step)
  }
  /** Its file was there before its row: whatever comes of reading it back, it stays. */
  const adopted: JobHandler = async ({ subject }, step) => {
    const failure = await attempt(step, 'check', () => check(subject), log)
    if (failure !== undefined) await step('fail', () => fail(subject, failure), retries)
  }
  return { make, copy, fail, workflows: { 'backup.make': handler, 'backup.adopt': adopted } }
}
export type Making = ReturnType<typeof createMaking>
