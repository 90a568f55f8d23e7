import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { AnalyticsAnswer, analyticsInput } from '../observability/logs.ts'
import { inProject } from '../permissions.ts'
import { ProjectRef } from '../values.ts'

const needs = inProject('analytics:Read', 'logflare')
const input = z.object({ ref: ProjectRef, ...analyticsInput })

/** Questions in SQL about a project's logs: about the last minute unless told, and 24 hours at most. */
export const v1Logs = {
  /** In the older dialect, which has a table for each source. */
  logs: endpoint('v1.logs', 'GET /v1/projects/:ref/analytics/endpoints/logs.all', {
    needs,
    input,
    returns: AnalyticsAnswer,
    perMinute: 120,
  }),
  /** In the newer one, which has one table `logs`. */
  newLogs: endpoint('v1.newLogs', 'GET /v1/projects/:ref/analytics/endpoints/logs', {
    needs,
    input,
    returns: AnalyticsAnswer,
    perMinute: 120,
  }),
}
