import { expect, test } from 'vitest'
import { metricsAsked, readDashboard } from '../testing/grafana.ts'
import { parsed } from '../testing/prometheus.ts'
import { metricsText } from './text.ts'

const everything = metricsText({
  ref: 'a"b\\c\nd',
  known: {
    denial: null,
    load: {
      cpu_seconds: 1,
      memory_bytes: 2,
      connections: 3,
      read_bytes: 7,
      written_bytes: 8,
    },
    restarts: 9,
    memory_limit: 4,
    disk: { database_bytes: 5, other_bytes: 6 },
    totals: [],
  },
  gateway: {
    connections: 10,
    received: 11,
    sent: 12,
    pool: {
      clients: 9,
      connections: 5,
      idle: 2,
      waiting: 1,
      waits: 7,
      waitSeconds: 0.5,
      refusedWaits: 0,
      resets: 3,
    },
  },
  database: Object.fromEntries(
    `pg_stat_database_num_backends pg_stat_database_xact_commit_total pg_stat_database_xact_rollback_total
    pg_stat_database_blks_read_total pg_stat_database_blks_hit_total pg_stat_database_tup_inserted_total
    pg_stat_database_tup_updated_total pg_stat_database_tup_deleted_total pg_stat_database_deadlocks_total
    pg_stat_database_temp_files_total pg_database_size_mb pg_settings_max_connections
    pg_stat_statements_total_queries pg_stat_statements_total_time_seconds replication_realtime_lag_bytes made_up`
      .split(/\s+/)
      .map((name) => [name, 1]),
  ),
})

test('a name with every special character is one label, and what is no known metric is left out', () => {
  const families = parsed(everything)
  expect(families.get('pg_up')?.samples).toEqual([
    { labels: { supabase_project_ref: String.raw`a\"b\\c\nd` }, value: 1 },
  ])
  expect(families.has('made_up')).toBe(false)
})

test('the pooler tells who is there, who waits and for how long', () => {
  const families = parsed(everything)
  const values = (name: string) =>
    families.get(`plinth_pooler_${name}`)?.samples.map(({ value }) => value)
  expect(values('clients')).toEqual([9])
  expect(values('connections')).toEqual([3, 2])
  expect(values('waiting')).toEqual([1])
  expect(values('wait_seconds_total')).toEqual([0.5])
  expect(families.get('plinth_pooler_waits_total')?.type).toBe('counter')
})

const { panels, templating } = readDashboard()

test('panels have ids of their own and stand in the 24 columns, none over another', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const taken = new Map<string, string>()
  for (const { title, gridPos } of panels) {
    expect([title, gridPos.x + gridPos.w <= 24]).toEqual([title, true])
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect([title, taken.get(`${x} ${y}`)]).toEqual([title, undefined])
        taken.set(`${x} ${y}`, title)
      }
  }
  expect(templating.list.map(({ name }) => name)).toEqual(['datasource', 'project'])
})

test('each query asks for metrics that there are, of one project, and for rates of what counts', () => {
  expect(panels.length).toBeGreaterThan(10)
  const known = parsed(everything)
  for (const { title, targets } of panels) {
    expect([title, new Set(targets.map(({ refId }) => refId)).size]).toEqual([
      title,
      targets.length,
    ])
    for (const { expr, legendFormat } of targets) {
      const asked = metricsAsked(expr)
      expect([title, asked.length > 0]).toEqual([title, true])
      for (const { metric, matchers, isRate } of asked) {
        const family = known.get(metric)
        expect([title, metric, family && family.type === 'counter']).toEqual([
          title,
          metric,
          isRate,
        ])
        expect(matchers).toBe('supabase_project_ref="$project"')
        for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
          expect(Object.keys(family?.samples[0]?.labels ?? {}), title).toContain(label)
      }
    }
  }
})
