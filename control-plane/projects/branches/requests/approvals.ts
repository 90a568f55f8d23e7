import { ApiError } from '#kit/errors'
import type { MergePlan } from '../travel/order.ts'
import { digestOfPlan } from '../travel/order.ts'
import type { NoteRow, RequestRow, RequestsStore } from './requests-store.ts'

/** Whether this person may merge branches of this project now. */
export type MayMerge = (userId: string, ref: string) => Promise<boolean>

/**
 * The last review of each person: of those who may merge, without the author of the request. What somebody thought before they lost that
 * right, or before they said something else, does not count.
 */
export async function reviewsThatCount(
  request: Pick<RequestRow, 'author'>,
  notes: readonly NoteRow[],
  mayMerge: (userId: string) => Promise<boolean>,
): Promise<NoteRow[]> {
  const last = new Map<string, NoteRow>()
  for (const note of notes)
    if (note.verdict !== null && note.user_id !== request.author.id) last.set(note.user_id, note)
  const counting: NoteRow[] = []
  for (const note of last.values()) if (await mayMerge(note.user_id)) counting.push(note)
  return counting
}

/** Whether a plan does nothing that the other one does not. */
export function isPartOf(plan: MergePlan, whole: MergePlan): boolean {
  const all = new Map(whole.settings.map(({ key, to }) => [key, JSON.stringify(to)]))
  const isIn = (part: Record<string, string>, of: Record<string, string>) =>
    Object.entries(part).every(([name, digest]) => Object.hasOwn(of, name) && of[name] === digest)
  return (
    isIn(plan.migrations, whole.migrations) &&
    isIn(plan.functions, whole.functions) &&
    plan.settings.every(({ key, to }) => all.get(key) === JSON.stringify(to))
  )
}

type Deps = {
  store: Pick<RequestsStore, 'openOf' | 'notes'>
  mayMerge: MayMerge
  neededOf: (parentId: string) => Promise<number>
}
type Merge = {
  parent: { id: string; ref: string }
  branchId: string
  plan: MergePlan
  /** What was ordered the last time: what is left of a merge that stopped halfway was approved with it. */
  last: MergePlan | undefined
}

/** Refuses a merge that too few have approved as it is now. @throws ApiError approvals_missing */
export const createCheckApprovals =
  ({ store, mayMerge, neededOf }: Deps) =>
  async ({ parent, branchId, plan, last }: Merge): Promise<void> => {
    const needed = await neededOf(parent.id)
    if (needed === 0) return
    const request = await store.openOf(branchId)
    if (!request)
      throw new ApiError('approvals_missing', `${wordsOf(needed)}. Request the merge first`)
    const notes = await store.notes(request.id)
    const counting = await reviewsThatCount(request, notes, (id) => mayMerge(id, parent.ref))
    const digests = new Set([digestOfPlan(plan)])
    if (last && isPartOf(plan, last)) digests.add(digestOfPlan(last))
    if (counting.some(({ verdict }) => verdict === 'changes_requested'))
      throw new ApiError('approvals_missing', 'A reviewer has requested changes')
    const given = counting.filter(({ digest }) => digest !== null && digests.has(digest)).length
    if (given < needed)
      throw new ApiError(
        'approvals_missing',
        `${wordsOf(needed)} of what the branch has now. It has ${given}`,
      )
  }

const wordsOf = (needed: number) =>
  `Merging needs ${needed === 1 ? 'an approval' : `${needed} approvals`}`
