import { endpoint } from '../endpoint.ts'
import { analyticsAnswers, analyticsInputs } from '../observability/analytics.ts'
import { inProject } from '../permissions.ts'

const needs = inProject('analytics:Read', 'logflare')
const base = '/v1/projects/:ref/analytics/endpoints' as const
const perMinute = 120

/** Figures of a project over time; the same as below /platform (`observability/analytics.ts`). */
export const v1Analytics = {
  apiCounts: endpoint('v1.apiCounts', `GET ${base}/usage.api-counts`, {
    needs,
    input: analyticsInputs.counts,
    returns: analyticsAnswers.counts,
    perMinute,
  }),
  requestsCount: endpoint('v1.requestsCount', `GET ${base}/usage.api-requests-count`, {
    needs,
    input: analyticsInputs.requests,
    returns: analyticsAnswers.requests,
    perMinute,
  }),
  functionStats: endpoint('v1.functionStats', `GET ${base}/functions.combined-stats`, {
    needs,
    input: analyticsInputs.stats,
    returns: analyticsAnswers.stats,
    perMinute,
  }),
}
