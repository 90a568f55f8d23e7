import { reports as api } from '#contract/observability/reports'
import { chartOf } from '#contract/observability/report-charts'
import { ApiError } from '#kit/errors'
import { implement } from '#kit/http'
import type { Platform } from '../../platform.ts'
import { chartNamed, createReports, type ReportNeeds } from './reports.ts'
import { sampleStore } from './samples-store.ts'
import { createSampler } from './samples.ts'

/**
 * The figures of a project over time. What is measured of servers is a small table and no source of logs: who measures is this
 * process and not the data plane, the figures are there without an engine that reads logs, and other entries cannot push them out.
 */
export function reportsFeature(
  { db, compute, each, now, access }: Platform,
  needs: Omit<ReportNeeds, 'measures'>,
) {
  const store = sampleStore(db)
  const reports = createReports({ ...needs, measures: compute.load !== undefined, store, now })
  const sample = createSampler({ store, compute, each, now })
  return {
    /** Looks now at what servers use; otherwise it does every minute. */
    sample,
    routes: [
      implement(api.chart, async ({ ref, ...asking }, caller) => {
        const { source } = chartOf(chartNamed(asking.chart))
        // Names of tables and roles are not for everybody who may see how much a project is used.
        if (
          source.from === 'database' &&
          !(await access.can(caller, ref, 'tenant:Sql:Admin:Read', 'tables'))
        )
          throw new ApiError('not_allowed')
        return reports.chart(ref, asking)
      }),
    ],
    rounds: [
      ...(compute.load ? [{ seconds: 60, name: 'load of projects', run: sample }] : []),
      { seconds: 3600, name: 'samples that are old', run: () => store.prune(now()) },
    ],
  }
}
