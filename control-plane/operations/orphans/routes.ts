import { orphans as api } from '#contract/operations/orphans'
import { implementOpen } from '#kit/http'
import type { Orphans } from './orphans.ts'

export const orphanRoutes = (orphans: Orphans) => [
  implementOpen(api.list, () => orphans.list()),
  implementOpen(api.adoptProject, orphans.adoptProject),
  implementOpen(api.removeProject, orphans.removeProject),
  implementOpen(api.adoptBackup, orphans.adoptBackup),
  implementOpen(api.objects, orphans.objects),
  implementOpen(api.removeObjects, orphans.removeObjects),
  implementOpen(api.removeBackup, orphans.removeBackup),
]
