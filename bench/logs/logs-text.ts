import { join } from 'node:path'
import type { PageQuestion } from '#contract/observability/logs'
import { compare } from '../parts/compare.ts'
import { bareEngine } from '../parts/bare-engine.ts'
import { end, makeWeek, measureQuestion, since, until, withStore } from '../parts/log-world.ts'

/**
 * Text that nowhere is in a day of 1.4 million entries, so that all of it is read, against the same SQL in a bare engine;
 * then the same with a regular expression.
 */
const ref = 'largelargelargelarge'
const question = (search: string, isPattern: boolean): PageQuestion => ({
  sources: ['edge_logs'],
  from: since(24),
  to: until,
  filters: [],
  search,
  is_pattern: isPattern,
  limit: 100,
  direction: 'older',
})
const shown = `concat_ws(' | ', method, status::bigint, address, concat(host, path, search), user_agent)`

await withStore(async (store, folder) => {
  await makeWeek(folder, ref, Number(process.env['ENTRIES'] ?? 10_000_000))
  const bare = await bareEngine(join(folder, ref, '*/*.parquet'))
  const both = (name: string, text: string, isPattern: boolean, found: string) =>
    compare(name, {
      ours: () =>
        measureQuestion(
          store,
          ref,
          () => store.page(ref, question(text, isPattern), { since: 0, auditSince: 0 }),
          2,
        ),
      baseline: () =>
        bare.run(
          (files) => `select * from ${files} where "timestamp" >= ${end - 24 * 3_600_000_000}
            and source = 'edge_logs' and ${found} order by "timestamp" desc limit 100`,
          2,
        ),
    })
  await both('logs-text', 'nowhere', false, `contains(lower(${shown}), 'nowhere')`)
  await both('logs-text.pattern', 'no.?where', true, `regexp_matches(${shown}, 'no.?where', 'i')`)
  bare.close()
})
