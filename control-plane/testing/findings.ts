import type { HealthFindings } from '#contract/operations/health'

/** An installation in which all is well, at noon. */
export const wellFindings = (): HealthFindings => ({
  taken_at: '2026-11-27T12:00:00.000Z',
  version: '1.0.0',
  planes: [],
  database: {
    version: '17.0',
    started_at: '2026-11-27T00:00:00.000Z',
    size_bytes: 1,
    connections: 1,
    max_connections: 100,
    standbys: 0,
  },
  jobs: {
    waiting: 0,
    running: 0,
    finished: 0,
    failed: 0,
    oldest: null,
    stuck: [],
    failures: [],
  },
  rounds: [],
  failing: [],
  mails: { waiting: 0, oldest_at: null, given_up: 0 },
  disks: [],
  certificates: [],
  projects: { by_status: [], unhealthy: [], heaviest: [] },
  backups: null,
  absent: [],
})
