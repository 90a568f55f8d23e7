import { join } from 'node:path'
import { compare } from '../parts/compare.ts'
import { bareEngine } from '../parts/bare-engine.ts'
import { end, makeWeek, measureQuestion, since, until, withStore } from '../parts/log-world.ts'

/**
 * A week of ten million entries, counted by the six fields of the page of all sources, against the same counts one field after the
 * other in a bare engine.
 */
const ref = 'largelargelargelarge'
const fields = ['source', 'level', 'status', 'method', 'host', 'path'] as const
const question = {
  sources: ['edge_logs' as const],
  from: since(168),
  to: until,
  filters: [],
  search: '',
  is_pattern: false,
  fields: [...fields],
}

await withStore(async (store, folder) => {
  await makeWeek(folder, ref, Number(process.env['ENTRIES'] ?? 10_000_000))
  const bare = await bareEngine(join(folder, ref, '*/*.parquet'))
  await compare('logs-facets', {
    ours: () =>
      measureQuestion(
        store,
        ref,
        () => store.facets(ref, question, { since: 0, auditSince: 0 }),
        3,
      ),
    baseline: async () => {
      const all = { value: 0, cpuMs: 0 }
      for (const field of fields) {
        const { value, cpuMs } = await bare.run(
          (files) => `select "${field}", count(*) as entries from ${files}
            where source = 'edge_logs' and "timestamp" >= ${end - 168 * 3_600_000_000}
            group by 1 order by 2 desc limit 50`,
          1,
        )
        all.value += value
        all.cpuMs += cpuMs ?? 0
      }
      return all
    },
  })
  bare.close()
})
