import type { Provider } from '#compute/provider'
import type { Job, Jobs } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { EachSubject } from '#kit/subjects'
import type { RecordChange } from './organizations/audit/audit.ts'
import type { Db } from './platform-database/database.ts'
import { createDisk } from './projects/disk/disk.ts'
import { createReadOnly } from './projects/disk/read-only.ts'
import { createReserve } from './projects/disk/reserve.ts'
import { diskRoutes } from './projects/disk/routes.ts'
import { diskStore } from './projects/disk/store.ts'
import { acceptJob } from './operations/jobs/store.ts'
import { createPauseByPlatform } from './projects/projects/pause-by-platform.ts'
import type { ProjectStore } from './projects/projects/store.ts'

type Parts = {
  db: Db
  projects: ProjectStore
  record: RecordChange
  startJob: (job: Job) => Promise<void>
  each: EachSubject
  options: { compute: Provider; now?: (() => Date) | undefined; diskReserve?: number | undefined }
  log: Log
}

/** Seconds between two looks at what the disk has left, which costs next to nothing. */
const lookSeconds = 5

/** What projects take of the disk, and who of them may write. */
export function assembleDisk({ db, projects, record, startJob, each, options, log }: Parts) {
  const { compute, now = () => new Date(), diskReserve: reserve } = options
  const store = diskStore(db)
  const readOnly = createReadOnly(store, compute, now)
  const pause = createPauseByPlatform({ store: projects, record, acceptJob, startJob, log })
  const disk = createDisk({ store, readOnly, compute, record, pause, each, now, log })
  const keepReserve = createReserve({ store, disk, compute, pause, reserve, log })
  return {
    readOnly,
    disk,
    keepReserve,
    routes: diskRoutes(disk, readOnly),
    watch: (every: Jobs['every']) => every(lookSeconds, 'reserve of the disk', keepReserve),
  }
}
