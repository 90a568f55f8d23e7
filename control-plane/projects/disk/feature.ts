import type { Platform } from '../../platform.ts'
import { createDisk } from './disk.ts'
import { createReadOnly } from './read-only.ts'
import { createReserve } from './reserve.ts'
import { diskRoutes } from './routes.ts'
import { diskStore } from './store.ts'

type Needs = Pick<Parameters<typeof createDisk>[0], 'pause'>

/** What projects take of the disk, and who of them may write. */
export function diskFeature(platform: Platform, { pause }: Needs) {
  const { db, record, compute, each, now, diskReserve: reserve, log } = platform
  const store = diskStore(db)
  const readOnly = createReadOnly(store, compute, now)
  const disk = createDisk({ store, readOnly, compute, record, pause, each, now, log })
  const keepReserve = createReserve({ store, disk, compute, pause, reserve, log })
  return {
    readOnly,
    disk,
    keepReserve,
    routes: diskRoutes(disk, readOnly),
    rounds: [
      // What the disk has left is known at next to no cost.
      { seconds: 5, name: 'reserve of the disk', run: keepReserve },
      { seconds: 60, name: 'disk of projects', run: () => disk.round() },
    ],
  }
}
