import type { Job, Jobs } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { RecordChange } from './audit/audit.ts'
import { createBackups } from './backups/backups.ts'
import { createClones } from './backups/clones.ts'
import { createDownloads } from './backups/downloads.ts'
import { createMaking } from './backups/making.ts'
import { restoreStore } from './backups/restore-store.ts'
import { createRestores } from './backups/restores.ts'
import { createRestoring } from './backups/restoring.ts'
import { createRounds } from './backups/rounds.ts'
import { backupRoundsStore } from './backups/rounds-store.ts'
import { backupRoutes } from './backups/routes.ts'
import { backupStore } from './backups/store.ts'
import { createSubjects } from './backups/subjects.ts'
import type { assembleBilling } from './app-billing.ts'
import type { Db } from './database/database.ts'
import { acceptJob } from './jobs/store.ts'
import type { ControlPlaneOptions } from './options.ts'
import { newProjectSecrets } from './projects/keys.ts'
import type { InsertProject } from './projects/new-project.ts'
import type { Settle } from './projects/settle.ts'
import { volumeSizeGb } from './projects/shape.ts'
import { secretsOf, specOf } from './projects/spec.ts'
import type { ProjectStore } from './projects/store.ts'
import { toAddress } from './projects/workflows.ts'

type Parts = {
  db: Db
  record: RecordChange
  startJob: (job: Job) => Promise<void>
  projects: ProjectStore
  settle: Settle
  admission: Awaited<ReturnType<typeof assembleBilling>>['admission']
  options: Pick<ControlPlaneOptions, 'compute' | 'secrets' | 'url' | 'now'>
  log: Log
}

/** Backups of projects, and restores of them. */
export function assembleBackups({ db, record, startJob, projects, settle, ...parts }: Parts) {
  const { log, options } = parts
  const { compute, secrets, url, now = () => new Date() } = options
  const { backups: keeping } = compute
  const store = backupStore(db)
  const restoresKept = restoreStore(db)
  const subjects = createSubjects(store, keeping)
  const common = { store, subjects, keeping, record, acceptJob, startJob, now }
  const backups = createBackups(common)
  const restores = createRestores({
    ...common,
    restores: restoresKept,
    backups,
    admit: parts.admission.run,
    move: projects.transition,
  })

  async function rowOf(ref: string) {
    const row = await projects.findAny(ref)
    if (!row) throw new Error(`No row for project ${ref}`)
    return row
  }
  const making = keeping && {
    ...createMaking({
      store,
      keeping,
      adminPasswordOf: async (ref) => secretsOf(secrets, await rowOf(ref)).adminPassword,
      record,
      now,
      log,
    }),
    keeping,
  }

  const rounds =
    making &&
    createRounds({
      ...common,
      rounds: backupRoundsStore(db),
      keeping: making.keeping,
      accept: backups.accept,
      fail: making.fail,
      log,
    })

  return {
    isClone: restoresKept.isClone,
    workflows: making
      ? {
          ...making.workflows,
          ...createRestoring({
            store,
            restores: restoresKept,
            making,
            compute,
            keeping: making.keeping,
            specOf: async (ref) => specOf(secrets, await rowOf(ref)),
            holdsOf: async (ref) => {
              const { allowed_networks: networks, restriction_status } = await rowOf(ref)
              return { networks, readOnly: restriction_status === 'restricted' }
            },
            async settle({ id: job, subject }, from, to, { address, ...outcome }) {
              const given = address === undefined ? {} : { address: address && toAddress(address) }
              const moved = await settle(subject, from, to, { job, ...outcome, ...given })
              if (!moved) log.info({ ref: subject, job, from, to }, 'status was moved before')
            },
            log,
          }),
        }
      : {},

    routes: (newProject: InsertProject) => [
      ...backupRoutes({
        backups,
        restores,
        downloads: createDownloads({ ...common, completed: backups.completed, secrets, url }),
        clones: createClones({
          ...common,
          restores: restoresKept,
          list: backups.list,
          originsOf: restores.originsOf,
          volumeSizeGb,
          newProject: async ({ password, ...row }) => {
            const made = await newProjectSecrets(row.ref, password, new Date())
            return (tx) => newProject(tx, 'project.clone', { ...row, made, listen_port: null })
          },
        }),
      }),
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
