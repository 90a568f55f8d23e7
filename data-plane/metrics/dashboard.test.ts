import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { root } from '#kit/root'
import { parsed } from '../testing/prometheus.ts'
import { metricsText } from './text.ts'

const Dashboard = z.object({
  panels: z.array(
    z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) }),
  ),
})
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
  gateway: { connections: 10, received: 11, sent: 12 },
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

test('each panel of the dashboard asks for metrics that there are', () => {
  const text = readFileSync(join(root, 'deploy/grafana-dashboard.json'), 'utf8')
  const { panels } = Dashboard.parse(JSON.parse(text))
  expect(panels.length).toBeGreaterThan(10)
  const known = parsed(everything)
  for (const { title, targets } of panels)
    for (const { expr } of targets) {
      const names = [...expr.matchAll(/([a-zA-Z_]+)\{/g)].map(([, name = '']) => name)
      expect(names.length, title).toBeGreaterThan(0)
      for (const name of names) expect(known.has(name), `${title}: ${name}`).toBe(true)
    }
})
