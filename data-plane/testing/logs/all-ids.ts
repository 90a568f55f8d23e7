import type { LogPage, PageQuestion } from '#contract/observability/logs'
import type { LogStore } from '../../logs/log-store.ts'
import { page } from './events.ts'

/** The ids of all entries of the day, page after page, and what was lost. */
export async function everything(
  store: LogStore,
  ref: string,
  more: Partial<PageQuestion> = {},
): Promise<{ ids: string[]; lost: LogPage['lost'] }> {
  const ids: string[] = []
  const lost: LogPage['lost'] = []
  let cursor: PageQuestion['cursor']
  do {
    const question = page(-43_200, 3600, { limit: 1000, ...more, ...(cursor && { cursor }) })
    const found = await store.page(ref, question, { since: 0 })
    ids.push(...found.events.map(({ id }) => id))
    lost.push(...found.lost)
    cursor = found.next
  } while (cursor)
  return { ids, lost }
}

/** Ids that stand in a list more than once. */
export function doubles(ids: readonly string[]): string[] {
  const seen = new Set<string>()
  return ids.filter((id) => seen.has(id) || !seen.add(id))
}
