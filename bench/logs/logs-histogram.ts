import { join } from 'node:path'
import { compare } from '../parts/compare.ts'
import { bareEngine } from '../parts/bare-engine.ts'
import { end, makeWeek, measureQuestion, since, until, withStore } from '../parts/log-world.ts'

/** A week of ten million entries as bars by level, against the same SQL in a bare engine. */
const ref = 'largelargelargelarge'
const question = {
  sources: ['edge_logs' as const],
  from: since(168),
  to: until,
  filters: [],
  search: '',
  is_pattern: false,
  bars: 168,
}

await withStore(async (store, folder) => {
  await makeWeek(folder, ref, Number(process.env['ENTRIES'] ?? 10_000_000))
  const bare = await bareEngine(join(folder, ref, '*/*.parquet'))
  await compare('logs-histogram', {
    ours: () =>
      measureQuestion(
        store,
        ref,
        () => store.histogram(ref, question, { since: 0, auditSince: 0 }),
        3,
      ),
    baseline: () =>
      bare.run(
        (
          files,
        ) => `select ("timestamp" - ${end - 168 * 3_600_000_000}) // 3600000000 as bar, level, count(*)
          from ${files} where source = 'edge_logs' group by all`,
        3,
      ),
  })
  bare.close()
})
