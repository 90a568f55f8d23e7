import { backups as api } from '#contract/projects/backups'
import { implement, implementRaw } from '#kit/http'
import type { BackupList } from './backups.ts'
import type { Clones } from './clones.ts'
import type { Downloads } from './downloads.ts'
import type { Restores } from './restores.ts'

type Parts = { backups: BackupList; downloads: Downloads; restores: Restores; clones: Clones }

export const backupRoutes = ({ backups, downloads, restores, clones }: Parts) => [
  implement(api.list, ({ ref }) => backups.list(ref)),
  implement(api.make, ({ ref }, caller, origin) => backups.make(caller, ref, origin)),
  implement(api.downloadable, ({ ref }) => downloads.downloadable(ref)),
  implement(api.download, ({ ref, id }, caller, origin) =>
    downloads.addressOf(caller, ref, id, origin),
  ),
  implementRaw(api.file, async ({ ref, id, token }, _caller, { reply }) => {
    const { stream, bytes, name } = await downloads.file(ref, id, token)
    return reply
      .type('application/gzip')
      .header('content-length', String(bytes))
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(stream)
  }),
  implement(api.restore, async ({ ref, id }, caller, origin) => {
    await restores.restore(api.restore.name, caller, ref, { id }, origin)
    return {}
  }),
  implement(api.pitr, async ({ ref, recovery_time_target_unix: at }, caller, origin) => {
    await restores.restore(api.pitr.name, caller, ref, { at }, origin)
    return {}
  }),
  implement(api.cloneable, ({ ref }) => clones.cloneable(ref)),
  implement(api.clone, (input, caller, origin) => clones.clone(caller, input, origin)),
  implement(api.cloneStatus, ({ ref }) => clones.clones(ref)),
]
