import { logSources } from '#contract/observability/log-sources'
import { makeWeek, since, until, withStore } from '../parts/log-world.ts'

/**
 * Milliseconds by the clock that the page of all sources waits for its list, its chart and its facets over ten million entries,
 * for each of its ranges: alone, and all three at once, as the page asks them. Median and slowest of 30; the first, which opens
 * the files, apart. The aim is 150 for all but the first; a search for text reads what it searches and cannot meet it.
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
    const rare = { field: 'status', op: 'is' as const, values: [500] }
    const list = (more = {}) =>
      store.page(ref, { ...asked, limit: 100, direction: 'older', ...more }, kept)
    const chart = (more = {}) => store.histogram(ref, { ...asked, bars: 60, ...more }, kept)
    const facets = (more = {}) =>
      store.facets(ref, { ...asked, fields: [...fields], without_own: true, ...more }, kept)
    const questions = {
      list: () => list(),
      chart: () => chart(),
      facets: () => facets(),
      together: () => Promise.all([list(), chart(), facets()]),
      'filtered list': () => list({ filters: [rare] }),
      'filtered chart': () => chart({ filters: [rare] }),
      'filtered facets': () => facets({ filters: [rare] }),
      // Nowhere, so that all of it is read; over a week each takes five seconds, so it is not asked thirty times.
      ...(hours <= 24 && { search: () => list({ search: 'nowhere' }) }),
    }
    for (const [name, ask] of Object.entries(questions)) {
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
