import type { Job, Jobs } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { EachSubject } from '#kit/subjects'
import type { RecordChange } from './organizations/audit/audit.ts'
import { createBackupAdoption } from './projects/backups/adopt.ts'
import { createBackups } from './projects/backups/backups.ts'
import { createClones } from './projects/backups/clones.ts'
import { createDownloads } from './projects/backups/downloads.ts'
import type { Keeping } from './projects/backups/compute.ts'
import { createMaking } from './projects/backups/making.ts'
import { createArchiving, createRecovery } from './projects/backups/recovery.ts'
import { recoveryRoutes } from './projects/backups/recovery-routes.ts'
import { recoveryStore } from './projects/backups/recovery-store.ts'
import { restoreStore } from './projects/backups/restore-store.ts'
import { createRestores } from './projects/backups/restores.ts'
import { createRestoring, type SettleJob } from './projects/backups/restoring.ts'
import {
  createDue,
  createRounds,
  type DueDeps,
  type RoundsDeps,
} from './projects/backups/rounds.ts'
import { backupRoundsStore } from './projects/backups/rounds-store.ts'
import { backupRoutes } from './projects/backups/routes.ts'
import { backupStore } from './projects/backups/store.ts'
import { createSubjects } from './projects/backups/subjects.ts'
import type { assembleBilling } from './app-billing.ts'
import type { Db } from './platform-database/database.ts'
import { acceptJob } from './operations/jobs/store.ts'
import type { ControlPlaneOptions } from './options.ts'
import type { Quarantine } from './operations/orphans/quarantine.ts'
import { newProjectSecrets } from './projects/projects/keys.ts'
import type { InsertProject } from './projects/projects/new-project.ts'
import type { Settle } from './projects/projects/settle.ts'
import { volumeSizeGb } from './projects/projects/shape.ts'
import { secretsOf, specOf } from './projects/projects/spec.ts'
import type { ProjectStore } from './projects/projects/store.ts'
import { toAddress, undoCreation } from './projects/projects/workflows.ts'

type Parts = {
  db: Db
  record: RecordChange
  startJob: (job: Job) => Promise<void>
  projects: ProjectStore
  settle: Settle
  isReadOnly: (ref: string) => Promise<boolean>
  quarantine: Quarantine
  each: EachSubject
  admission: Awaited<ReturnType<typeof assembleBilling>>['admission']
  options: Pick<ControlPlaneOptions, 'compute' | 'secrets' | 'url' | 'now'>
  log: Log
}

/** Backups of projects, and restores of them. */
export function assembleBackups(parts: Parts) {
  const { db, record, startJob, projects, options } = parts
  const { compute, secrets, url, now = () => new Date() } = options
  const store = backupStore(db)
  const restored = restoreStore(db)
  const subjects = createSubjects(store, compute.backups)
  const orders = { admit: parts.admission.run, move: projects.transition }
  const common = { store, subjects, record, acceptJob, startJob, now, ...orders }
  const backups = createBackups({ ...common, keeping: compute.backups })
  const restores = createRestores({ ...common, restores: restored, backups })
  const recovery = createRecovery({ ...common, recovery: recoveryStore(db), each: parts.each })
  const keeper = compute.backups && assembleKeeping(parts, compute.backups, backups.accept)
  const rounds = keeper?.rounds(recovery)

  return {
    isClone: restored.isClone,
    adopt: createBackupAdoption({ ...common, keeping: compute.backups, spanFor: backups.spanFor }),
    workflows: keeper?.workflows ?? {},

    routes: (newProject: InsertProject) => [
      ...backupRoutes({
        backups,
        restores,
        downloads: createDownloads({
          ...common,
          completed: backups.completed,
          keeping: compute.backups,
          secrets,
          url,
        }),
        clones: createClones({
          ...common,
          restores: restored,
          list: backups.list,
          originsOf: restores.originsOf,
          volumeSizeGb,
          newProject: async ({ password, ...row }) => {
            const made = await newProjectSecrets(row.ref, password, new Date())
            return (tx) => newProject(tx, 'project.clone', { ...row, made, listen_port: null })
          },
        }),
      }),
      ...recoveryRoutes({ backups, restores, recovery }),
    ],

    round: async () => rounds?.backups(),
    filesRound: async () => rounds?.files(),

    /** Begins to look after backups. */
    watch(every: Jobs['every']): void {
      if (!rounds) return
      every(60, 'backups', rounds.backups)
      every(3600, 'files of backups', rounds.files)
    },
  }
}

/** The work behind what is ordered, where the provider keeps backups. */
function assembleKeeping(
  { db, record, projects, startJob, options, each, log, ...parts }: Parts,
  keeping: Keeping,
  accept: DueDeps['accept'],
) {
  const { compute, secrets, now = () => new Date() } = options
  const store = backupStore(db)
  const recovery = recoveryStore(db)

  async function rowOf(ref: string) {
    const row = await projects.findAny(ref)
    if (!row) throw new Error(`No row for project ${ref}`)
    return row
  }
  async function addressOf(ref: string) {
    const seen = await compute.inspect(ref)
    return seen.state === 'running' ? seen.address : compute.start(ref)
  }
  const settle: SettleJob = async ({ id: job, subject }, from, to, { address, ...outcome }) => {
    const given = address === undefined ? {} : { address: address && toAddress(address) }
    const moved = await parts.settle(subject, from, to, { job, ...outcome, ...given })
    if (!moved) log.info({ ref: subject, job, from, to }, 'status was moved before')
  }
  const making = createMaking({
    store,
    keeping,
    adminPasswordOf: async (ref) => secretsOf(secrets, await rowOf(ref)).adminPassword,
    record,
    now,
    log,
  })
  const rounds = backupRoundsStore(db)
  const due = createDue({ store, rounds, accept, startJob, each, now })
  const common = { store, keeping, compute, addressOf, settle, due, now, log }
  return {
    workflows: {
      ...making.workflows,
      ...createArchiving({ ...common, recovery }),
      ...createRestoring({
        ...common,
        restores: restoreStore(db),
        making,
        specOf: async (ref) => specOf(secrets, await rowOf(ref)),
        holdsOf: async (ref) => {
          const { allowed_networks: networks } = await rowOf(ref)
          return { networks, readOnly: await parts.isReadOnly(ref) }
        },
        restored: (ref) => recovery.restored(ref, now()),
        undoCreation: (ref) => undoCreation(compute, ref),
      }),
    },
    rounds: (recovery: RoundsDeps['recovery']) =>
      createRounds({
        ...common,
        recovery,
        rounds,
        fail: making.fail,
        quarantine: (found) => parts.quarantine('backup', found),
        each,
      }),
  }
}
