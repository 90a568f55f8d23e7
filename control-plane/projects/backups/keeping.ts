import type { DatabaseAddress, ProjectSpec } from '#compute/provider'
import type { ProjectStatus } from '#contract/projects/project-status'
import type { ProjectAddress } from '../../platform-database/tables.ts'
import type { Platform } from '../../platform.ts'
import type { BackupList } from './backups.ts'
import type { createClones } from './clones.ts'
import type { Keeping } from './compute.ts'
import { createCopying } from './copying.ts'
import { createMaking } from './making.ts'
import { recoveryStore } from './recovery-store.ts'
import { createArchiving, type Recovery } from './recovery.ts'
import { restoreStore } from './restore-store.ts'
import type { Admit } from './restores.ts'
import { createHold, createRestoring, type SettleJob } from './restoring.ts'
import { backupRoundsStore } from './rounds-store.ts'
import { createRounds } from './rounds.ts'
import { createDue } from './due.ts'
import { backupStore } from './store.ts'

type Clones = Parameters<typeof createClones>[0]
export type BackupNeeds = {
  admit: Admit
  newProject: Clones['newProject']
  volumeSizeGb: number
  adminPasswordOf: (ref: string) => Promise<string>
  specOf: (ref: string) => Promise<ProjectSpec>
  networksOf: (ref: string) => Promise<readonly string[] | null>
  isReadOnly: (ref: string) => Promise<boolean>
  undoCreation: (ref: string) => Promise<void>
  /** The keys of a project's vault, before data of an earlier day take the place of its own, and after. */
  vault: { reopen: (ref: string) => Promise<void>; settle: (ref: string) => Promise<void> }
  /** Moves a project for the job that owns it; nothing when somebody else has moved it. */
  settle: (
    ref: string,
    from: ProjectStatus,
    to: ProjectStatus,
    outcome: { job: string; address?: ProjectAddress | null; failure?: string },
  ) => Promise<unknown>
  toAddress: (address: DatabaseAddress) => ProjectAddress
  quarantine: (
    kind: 'backup',
    found: { ref: string; name: string; state: string }[],
  ) => Promise<void>
}

type Parts = { keeping: Keeping; backups: BackupList; recovery: Recovery }

/** The work behind what is ordered, where the provider keeps backups. */
export function createKeeping(
  platform: Platform,
  needs: BackupNeeds,
  { keeping, backups, recovery }: Parts,
) {
  const { db, record, compute, jobs, each, now, log } = platform
  const { adminPasswordOf, specOf, undoCreation, toAddress } = needs
  const store = backupStore(db)
  async function addressOf(ref: string) {
    const seen = await compute.inspect(ref)
    return seen.state === 'running' ? seen.address : compute.start(ref)
  }
  const settle: SettleJob = async ({ id: job, subject }, from, to, { address, ...outcome }) => {
    const given = address === undefined ? {} : { address: address && toAddress(address) }
    const moved = await needs.settle(subject, from, to, { job, ...outcome, ...given })
    if (!moved) log.info({ ref: subject, job, from, to }, 'status was moved before')
  }
  const making = createMaking({ store, keeping, adminPasswordOf, record, now, log })
  const rounds = backupRoundsStore(db)
  const { accept } = backups
  const due = createDue({ store, rounds, accept, startJob: jobs.start, each, now })
  const holdsOf = async (ref: string) => ({
    networks: await needs.networksOf(ref),
    readOnly: await needs.isReadOnly(ref),
  })
  const hold = createHold(compute, holdsOf)
  const common = { store, keeping, compute, addressOf, settle, due, now, log }
  const restoring = { ...common, restores: restoreStore(db), making, specOf, undoCreation, hold }
  const copying = createCopying(restoring)
  return {
    copy: copying.copy,
    workflows: {
      ...making.workflows,
      ...copying.workflows,
      ...createArchiving({ ...common, recovery: recoveryStore(db) }),
      ...createRestoring({
        ...restoring,
        restored: (ref) => recoveryStore(db).restored(ref, now()),
        vault: needs.vault,
      }),
    },
    rounds: createRounds({
      ...common,
      recovery,
      rounds,
      fail: making.fail,
      quarantine: (found) => needs.quarantine('backup', found),
      each,
    }),
  }
}
