import { useQuery } from '@tanstack/react-query'
import type { Branch } from '#contract/projects/branches'
import {
  dryRuns,
  keptOutBy,
  type DryRun,
  type DryRunMigration,
  type LockMode,
} from '#contract/projects/dry-runs'
import { q, useCall } from '../../../api/client.ts'
import type { StatusTone } from '../../../ui/text/Status.tsx'

const lookMs = 1500

/** The last dry run of a branch, looked at again while it goes on. */
export const useDryRun = ({ parent_project_ref: ref, id }: Branch) =>
  useQuery({
    ...q(dryRuns.get, { ref, id }, 0),
    refetchInterval: ({ state }) => (state.data?.dry_run?.state === 'running' ? lookMs : false),
  })

export const useStartDryRun = () => useCall(dryRuns.start, { changes: [dryRuns.get] })

export type Standing = { tone: StatusTone; word: string }

/** What a dry run says of the migrations that a merge would run now. */
export function standingOfDryRun(run: DryRun | null, digest: string | undefined): Standing {
  if (!run) return { tone: 'off', word: 'Not checked' }
  if (run.state === 'running') return { tone: 'working', word: 'Checking on a copy of main' }
  if (digest !== undefined && run.digest !== digest)
    return { tone: 'warning', word: 'The branch or main has changed since the check' }
  return run.state === 'passed'
    ? { tone: 'success', word: 'Passed on a copy of main' }
    : { tone: 'danger', word: 'Failed on a copy of main' }
}

/** In words whom a lock keeps waiting; undefined: nobody who reads and writes rows. */
export function effectOf(mode: LockMode): string | undefined {
  const kept = keptOutBy(mode)
  if (!kept) return undefined
  return kept === 'writes' ? 'blocks writes' : 'blocks reads and writes'
}

/** Locks that keep somebody waiting, and how many others there are. */
export function blockingLocks({ locks }: DryRunMigration) {
  const all = locks ?? []
  const blocking = all.filter(({ mode }) => keptOutBy(mode) !== null)
  return { blocking, others: all.length - blocking.length }
}
