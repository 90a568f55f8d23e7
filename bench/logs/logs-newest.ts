import type { PageQuestion } from '#contract/observability/logs'
import { compare } from '../parts/compare.ts'
import { makeWeek, measureQuestion, since, until, withStore } from '../parts/log-world.ts'

/** The newest hundred of a week of ten million entries, against the newest hundred of its last hour. */
const ref = 'largelargelargelarge'
const question = (from: string): PageQuestion => ({
  sources: ['edge_logs'],
  from,
  to: until,
  filters: [],
  search: '',
  is_pattern: false,
  limit: 100,
  direction: 'older',
})

await withStore(async (store, folder) => {
  await makeWeek(folder, ref, Number(process.env['ENTRIES'] ?? 10_000_000))
  const ask = (from: string) =>
    measureQuestion(
      store,
      ref,
      () => store.page(ref, question(from), { since: 0, auditSince: 0 }),
      20,
    )
  await compare('logs-newest', { ours: () => ask(since(168)), baseline: () => ask(since(1)) })
})
