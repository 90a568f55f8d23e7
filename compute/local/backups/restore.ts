import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { failpoint } from '#kit/failpoints'
import { exists, syncFolder, writeDurably } from '#kit/postgres/files'
import { stopServer } from '#kit/postgres/server'
import { NotCoveredError, type CopyChanges, type RestorePoint } from '../../provider.ts'
import type { DatabaseAddress, ProjectSpec } from '../../provider.ts'
import { destroyProject, givePasswords } from '../create.ts'
import type { Machine } from '../machine.ts'
import { userOf, type ProjectRecord } from '../registry.ts'
import { stopReplicas } from '../replicas/server.ts'
import { startProject } from '../run.ts'
import { backupBefore, beginPart, endPart, gatherWal, replaySettings } from './archive.ts'
import type { Facts } from './backup-files.ts'
import { changeCopy, changingSettings } from './change-copy.ts'
import { finishSwap } from './swap.ts'
import { clearScratch, settleScratch, startScratch, unpack, type Scratch } from './scratch.ts'

/**
 * Makes a project of what a backup holds, beside the one that may be there. Only when it has run, has its passwords and
 * is on disk does it take the other's place, by a rename that a start after a crash finishes. What the platform asks for
 * again because its own database has gone back is known by its order, which is written down beside the data.
 */
export async function restoreProject(
  machine: Machine,
  spec: ProjectSpec,
  from: RestorePoint,
  order: string,
  changes?: CopyChanges,
): Promise<DatabaseAddress> {
  const { ref } = spec
  const { files } = machine.backups
  if (machine.registry.get(ref)?.restores?.includes(order)) {
    await finishSwap(machine, ref)
    return startProject(machine, ref)
  }
  const until = 'until' in from ? from.until : undefined
  const id = 'id' in from ? from.id : await backupBefore(machine, from.ref, from.until)
  if (id === undefined) throw new NotCoveredError(`No backup leads to ${until?.toISOString()}`)
  const facts = await files.get({ ref: from.ref, id })
  const isNew = !machine.registry.get(ref)?.ready
  if (isNew) await destroyProject(machine, ref)
  const record = isNew ? await claim(machine, spec) : machine.registry.get(ref)
  if (!record) throw new Error(`No record of project ${ref}`)
  const home = machine.folders.restoring(ref)
  const scratch: Scratch = {
    home,
    dataDir: join(home, 'data'),
    socket: `r-${ref}`,
    user: userOf(record),
    maxConnections: record.maxConnections,
  }
  await finishSwap(machine, ref)
  await machine.folders.discard(machine.folders.restored(ref))
  try {
    await unpack(machine, { ref: from.ref, id }, scratch)
    failpoint('compute.restore.unpacked')
    await prepareData(machine, spec, { facts, until, source: from.ref, scratch, changes })
    failpoint('compute.restore.prepared')
    await swap(machine, ref, withOrder(record, order), facts)
  } catch (error) {
    await clearScratch(machine, scratch)
    // Unless the old data are gone already: then a start goes on from here.
    if (await exists(machine.folders.data(ref)))
      await machine.folders.discard(machine.folders.restored(ref))
    if (isNew) await destroyProject(machine, ref)
    throw error
  }
  return startProject(machine, ref)
}

/** More never come again at once. */
const maxOrders = 100
export const withOrder = (record: ProjectRecord, order: string): ProjectRecord => ({
  ...record,
  restores: [...(record.restores ?? []), order].slice(-maxOrders),
})

/** A port and a user for a project that there is none of yet. */
async function claim({ registry, users }: Machine, { ref, limits }: ProjectSpec) {
  const user = await users.give()
  return registry.claim(ref, { uid: user?.uid ?? null, ...limits })
}

type Prepare = {
  facts: Facts
  until: Date | undefined
  source: string
  scratch: Scratch
  changes: CopyChanges | undefined
}

/** Replays what is to be replayed, changes what is to be changed, gives it the passwords of the project, and leaves it stopped and on disk. */
async function prepareData(
  machine: Machine,
  spec: ProjectSpec,
  { facts, until, source, scratch, changes }: Prepare,
): Promise<void> {
  const { home, dataDir, user } = scratch
  const usual = { default_transaction_read_only: 'off', ...(changes && changingSettings) }
  let admin
  if (until && facts.archive !== null) {
    const wal = join(home, 'wal')
    const { archive: part, startWal } = facts
    await gatherWal(machine, { ref: source, part, startWal }, wal, user)
    await writeDurably(join(dataDir, 'recovery.signal'), '', user)
    const replay = (target: Date | undefined) =>
      startScratch(machine, scratch, { ...usual, ...replaySettings(wal, target) })
    admin = await replay(until).catch((error: unknown) => {
      // Nothing was committed after the moment, so all that there is was before it.
      const isAll =
        error instanceof Error && error.message.includes('before configured recovery target')
      if (!isAll) throw error
      return replay(undefined)
    })
  } else admin = await startScratch(machine, scratch, usual)
  if (changes) await changeCopy(admin, changes)
  await givePasswords(admin, spec)
  await settleScratch(machine, scratch)
}

/** Nothing is lost on the way: the old data stay in their place until the new ones are whole beside them. */
async function swap(machine: Machine, ref: string, record: ProjectRecord, facts: Facts) {
  const { folders, registry } = machine
  // By this name a start after a crash knows that it is whole.
  await rename(folders.restoring(ref), folders.restored(ref))
  await syncFolder(folders.project(ref))
  failpoint('compute.restore.named')
  await stopReplicas(machine, ref)
  // What is stopped in good order archives all that it has written.
  await stopServer(folders.data(ref))
  if (record.archive !== undefined) await endPart(machine, ref, record.archive)
  const part = record.archive && (await beginPart(machine, ref, userOf(record)))
  await finishSwap(machine, ref)
  // They follow a history that is no more, and are to be made anew.
  const replicas = record.replicas?.map((replica) => ({ ...replica, ready: false }))
  const made = {
    ready: true,
    upgrade: facts.upgrade,
    archive: part,
    replicas,
    promoting: undefined,
  }
  await registry.save(ref, { ...record, ...made })
}
