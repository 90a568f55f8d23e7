import type { Digests } from './difference.ts'

/** What branches need of functions. */
export type BranchFunctions = {
  digests(ref: string): Promise<Digests>
  copy(copy: { from: string; to: string; slug: string; by: string }): Promise<void>
}
