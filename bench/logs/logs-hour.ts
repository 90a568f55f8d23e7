import type { PageQuestion } from '#contract/observability/logs'
import { compare } from '../parts/compare.ts'
import { makeWeek, measureQuestion, since, until, withStore } from '../parts/log-world.ts'

/** The newest hundred of the last hour where a week has ten million entries, against where it has ten thousand. */
const [large, small] = ['largelargelargelarge', 'smallsmallsmallsmall']
const question: PageQuestion = {
  sources: ['edge_logs'],
  from: since(1),
  to: until,
  filters: [],
  search: '',
  is_pattern: false,
  limit: 100,
  direction: 'older',
}

await withStore(async (store, folder) => {
  await makeWeek(folder, large, Number(process.env['ENTRIES'] ?? 10_000_000))
  await makeWeek(folder, small, 10_000)
  const ask = (ref: string) =>
    measureQuestion(store, ref, () => store.page(ref, question, { since: 0, auditSince: 0 }), 20)
  await compare('logs-hour', { ours: () => ask(large), baseline: () => ask(small) })
})
