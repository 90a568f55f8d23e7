import { dryRuns as api } from '#contract/projects/dry-runs'
import { implement } from '#kit/http'
import type { DryRuns } from './dry-runs.ts'

export const dryRunRoutes = (dryRuns: DryRuns) => [
  implement(api.get, ({ ref, id }) => dryRuns.get(ref, id)),
  implement(api.start, ({ ref, id }, caller, origin) => dryRuns.start(caller, ref, id, origin)),
]
