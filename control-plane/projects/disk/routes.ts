import { disk as api } from '#contract/projects/disk'
import { v1 } from '#contract/v1/v1'
import { implement } from '#kit/http'
import type { Disk } from './disk.ts'
import type { ReadOnly } from './read-only.ts'

export const diskRoutes = (disk: Disk, readOnly: ReadOnly) => [
  implement(api.usage, ({ ref, last }) => disk.usage(ref, { last })),
  implement(api.allowWrites, ({ ref }, caller, origin) => disk.allowWrites(caller, ref, origin)),
  implement(v1.readonly, async ({ ref }) => {
    const { writable_until: until } = await disk.usage(ref)
    return {
      enabled: await readOnly.wanted(ref),
      override_enabled: until !== null,
      override_active_until: until ?? '',
    }
  }),
  implement(v1.disableReadonly, async ({ ref }, caller, origin) => {
    await disk.allowWrites(caller, ref, origin)
    return {}
  }),
]
