import type { Platform } from '../../platform.ts'
import { createDisk, type Disk } from './disk.ts'
import { createReadOnly, type ReadOnly } from './read-only.ts'
import { createHasSpace, createReserve } from './reserve.ts'
import { diskStore } from './store.ts'
import { disk as api } from '#contract/projects/disk'
import { v1 } from '#contract/v1/v1'
import { implement } from '#kit/http'

type Needs = Pick<Parameters<typeof createDisk>[0], 'pause'>

/** What projects take of the disk, and who of them may write. */
export function diskFeature(platform: Platform, { pause }: Needs) {
  const { db, record, projects, compute, each, now, diskReserve: reserve, log } = platform
  const store = diskStore(db)
  const readOnly = createReadOnly(store, compute, now)
  const disk = createDisk({
    store,
    readOnly,
    compute,
    record,
    notifyPlanes: projects.notify,
    pause,
    each,
    now,
    log,
  })
  const keepReserve = createReserve({ store, disk, compute, pause, reserve, log })
  return {
    readOnly,
    disk,
    keepReserve,
    hasSpace: createHasSpace({ compute, reserve }),
    routes: diskRoutes(disk, readOnly),
    rounds: [
      // What the disk has left is known at next to no cost.
      { seconds: 5, name: 'reserve of the disk', run: keepReserve, everywhere: true },
      { seconds: 60, name: 'disk of projects', run: () => disk.round() },
    ],
  }
}

const diskRoutes = (disk: Disk, readOnly: ReadOnly) => [
  implement(api.usage, ({ ref, last }) => disk.usage(ref, { last })),
  implement(api.allowWrites, ({ ref }, caller, origin) => disk.allowWrites(caller, ref, origin)),
  implement(v1.readonly, async ({ ref }) => {
    const { writable_until: until } = await disk.usage(ref)
    return {
      enabled: await readOnly.desired(ref),
      override_enabled: until !== null,
      override_active_until: until ?? '',
    }
  }),
  implement(v1.disableReadonly, async ({ ref }, caller, origin) => {
    await disk.allowWrites(caller, ref, origin)
    return {}
  }),
]
