import { billing } from '#contract/billing/billing'
import { backups } from '#contract/projects/backups'
import type { Output } from '#contract/endpoint'
import { q } from '../../../api/client.ts'

type List = Output<typeof backups.list>
type Clones = Output<typeof backups.cloneStatus>
type State<Data> = { state: { data?: Data | undefined } }

/** Asked again every second while one is made, and now and then as scheduled ones come and the archive grows. */
export const backupsQuery = (ref: string) => ({
  ...q(backups.list, { ref }, 0),
  refetchInterval: ({ state }: State<List>) => {
    const { data } = state
    if (data?.backups.some(({ status }) => status === 'PENDING')) return 1_000
    if (!data?.pitr_enabled) return 60_000
    // It begins with a backup that is about to be made.
    return data.recovery_windows.length === 0 ? 2_000 : 10_000
  },
})

/** What a new project with this data would be. */
export const cloneableQuery = (ref: string) => q(backups.cloneable, { ref })

export const clonesQuery = (ref: string) => ({
  ...q(backups.cloneStatus, { ref }, 0),
  refetchInterval: ({ state }: State<Clones>) =>
    state.data?.clones.some(({ status }) => status === 'IN_PROGRESS') ? 1_000 : (false as const),
})

export const ofBackups = [backups.list, backups.downloadable, backups.cloneable]
export const ofClones = [backups.cloneStatus]

export const addOnsQuery = (ref: string) => q(billing.projectAddOns, { ref })
export type Cloneable = Output<typeof backups.cloneable>
