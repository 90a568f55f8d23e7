import { logSources } from '#contract/observability/log-sources'
import { makeWeek, since, until, withStore } from '../parts/log-world.ts'

/**
 * Milliseconds by the clock that the page of all sources waits for its list, its chart and its facets over ten million entries,
 * for each of its ranges: alone, and all three at once, as the page asks them. Median and slowest of 30; the first, which opens
 * the files, apart. The aim is 150 for all but the first.
 */
const ref = 'largelargelargelarge'
const kept = { since: 0, auditSince: 0 }
const fields = ['source', 'level', 'status', 'method', 'host', 'path'] as const
const times = 30

await withStore(async (store, folder) => {
  await makeWeek(folder, ref, Number(process.env['ENTRIES'] ?? 10_000_000))
  for (const hours of [1, 24, 168]) {
    const asked = {
      sources: [...logSources],
      from: since(hours),
      to: until,
      filters: [],
      search: '',
      is_pattern: false,
    }
    const list = () => store.page(ref, { ...asked, limit: 100, direction: 'older' }, kept)
    const chart = () => store.histogram(ref, { ...asked, bars: 60 }, kept)
    const facets = () => store.facets(ref, { ...asked, fields: [...fields] }, kept)
    const together = () => Promise.all([list(), chart(), facets()])
    for (const [name, ask] of Object.entries({ list, chart, facets, together })) {
      const took = []
      for (let at = 0; at <= times; at += 1) {
        const start = performance.now()
        await ask()
        took.push(Math.round(performance.now() - start))
      }
      const [first, ...rest] = took
      const sorted = rest.toSorted((a, b) => a - b)
      const line = {
        name: `logs-page.${name}`,
        hours,
        first,
        median: sorted[times / 2],
        slowest: sorted.at(-1),
      }
      process.stdout.write(`${JSON.stringify(line)}\n`)
    }
  }
})
