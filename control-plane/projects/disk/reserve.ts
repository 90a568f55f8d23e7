import type { Provider } from '#compute/provider'
import type { Log } from '#kit/log'
import type { Disk } from './disk.ts'
import type { DiskRow, DiskStore } from './store.ts'

type Deps = {
  store: DiskStore
  disk: Pick<Disk, 'measure'>
  compute: Pick<Provider, 'diskSpace'>
  pause: (ref: string, reason: string) => Promise<void>
  /** Bytes that are to stay free; otherwise a twentieth of the disk, and 4 GB at most. */
  reserve?: number | undefined
  log: Log
}

const max = 4 * 1024 ** 3
const share = 0.05
/** When there is nobody to pause, all are measured again after a minute, as they are anyway. */
const quietMs = 60_000

type Space = { free: number; size: number }
/** Whether there is more than the reserve. */
const isEnough = ({ free, size }: Space, reserve = Math.min(max, size * share)) => free >= reserve

/** Bytes beyond what the plan has. */
const excess = ({ database_bytes, limit }: DiskRow) => database_bytes - (limit ?? Infinity)

/**
 * Keeps some of the disk for the platform and for those who stay within their plans. When less is left, whoever is furthest beyond
 * their plan is paused, one after the other, until there is enough again.
 */
export function createReserve({ store, disk, compute, pause, log, ...given }: Deps) {
  let notified = false
  let quietUntil = 0
  return async function look(): Promise<void> {
    const space = await compute.diskSpace?.()
    if (!space) return
    const reserve = given.reserve ?? Math.min(max, space.size * share)
    if (isEnough(space, reserve)) {
      if (notified) log.info(space, 'the disk has enough space again')
      notified = false
      return
    }
    if (!notified)
      log.error({ ...space, reserve }, 'the disk has less space than is kept in reserve')
    notified = true
    if (performance.now() < quietUntil) return
    for (const { ref } of await store.running()) {
      await disk.measure(ref).catch((err: unknown) => {
        log.error({ err, ref }, 'the disk of a project could not be measured')
      })
    }
    const [worst] = (await store.running())
      .filter((row) => excess(row) > 0)
      .toSorted((a, b) => excess(b) - excess(a))
    if (!worst) {
      quietUntil = performance.now() + quietMs
      return
    }
    await pause(
      worst.ref,
      'The disk is almost full, and its database has more than its plan allows',
    )
  }
}

/** Whether the disk of the servers has more left than it keeps in reserve; where nobody can tell, it has. */
export const createHasSpace =
  ({ compute, reserve }: Pick<Deps, 'compute' | 'reserve'>) =>
  async (): Promise<boolean> => {
    const space = await compute.diskSpace?.()
    return !space || isEnough(space, reserve)
  }
