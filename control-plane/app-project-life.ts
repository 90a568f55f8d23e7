import type { Job } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { EachSubject } from '#kit/subjects'
import { assembleBackups } from './app-backups.ts'
import type { assembleBilling } from './app-billing.ts'
import type { RecordChange } from './organizations/audit/audit.ts'
import type { Db } from './platform-database/database.ts'
import type { ControlPlaneOptions } from './options.ts'
import type { Quarantine } from './operations/orphans/quarantine.ts'
import { createHealth } from './projects/projects/health.ts'
import { createReconciler, type Stranger } from './projects/projects/reconcile.ts'
import { createSettle } from './projects/projects/settle.ts'
import type { ProjectStore } from './projects/projects/store.ts'
import { projectWorkflows } from './projects/projects/workflows.ts'

type Parts = {
  db: Db
  store: ProjectStore
  record: RecordChange
  startJob: (job: Job) => Promise<void>
  admission: Awaited<ReturnType<typeof assembleBilling>>['admission']
  quarantine: Quarantine
  isReadOnly: (ref: string) => Promise<boolean>
  each: EachSubject
  options: ControlPlaneOptions
  log: Log
}

/** What looks after the servers of projects: their jobs, their health, and what is kept of them. */
export function assembleProjectLife({ store, record, options, each, log, ...parts }: Parts) {
  const { compute, secrets } = options
  const quarantine = (found: Stranger[]) =>
    parts.quarantine(
      'project',
      found.map((one) => ({ ...one, name: '' })),
    )
  const settle = createSettle({ store, record })
  const backups = assembleBackups({ ...parts, record, projects: store, settle, options, each, log })
  return {
    health: createHealth({ store, compute, each, log }),
    reconcile: createReconciler({ store, settle, compute, quarantine, each, log }),
    backups,
    workflows: {
      ...projectWorkflows({ store, settle, compute, secrets, log }),
      ...backups.workflows,
    },
  }
}
