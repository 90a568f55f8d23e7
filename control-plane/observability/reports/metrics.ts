import type { Provider } from '#compute/provider'
import { hasFeature, planWith } from '#contract/billing/plan-comparison'
import { planNames, planOfTier } from '#contract/billing/plans'
import { meteredMetrics, type MeteredMetric } from '#contract/billing/usage-metrics'
import type { ProjectMetrics } from '#contract/observability/project-metrics'
import { computeSizes } from '#contract/projects/compute-sizes'
import { ApiError } from '#kit/errors'
import type { metricsFacts } from './metrics-store.ts'

type Deps = {
  facts: ReturnType<typeof metricsFacts>
  compute: Pick<Provider, 'load'>
  totals: (
    ref: string,
    metrics: readonly MeteredMetric[],
  ) => Promise<{ metric: MeteredMetric; value: number }[]>
}

const feature = 'security.metricsEndpoint'
const gigabyte = 1024 ** 3

/** What a scrape of a project's metrics is told. Nothing is started or asked for it but the kernel. */
export const createProjectMetrics =
  ({ facts, compute, totals }: Deps) =>
  /** @throws ApiError project_not_found */
  async (ref: string): Promise<ProjectMetrics> => {
    const found = await facts(ref)
    if (!found) throw new ApiError('project_not_found')
    const plan = planOfTier[found.tier]
    if (!hasFeature(plan, feature)) {
      const better = planWith(feature)
      const denial = `The ${planNames[plan]} plan has no metrics endpoint${better ? `. The ${planNames[better]} plan has one` : ''}`
      return { denial, load: null, memory_limit: null, disk: null, restarts: null, totals: [] }
    }
    const load = await compute.load?.(ref)
    return {
      denial: null,
      load: load
        ? {
            cpu_seconds: load.cpuSeconds,
            memory_bytes: load.memoryBytes,
            connections: load.connections,
            read_bytes: load.disk?.read ?? null,
            written_bytes: load.disk?.written ?? null,
          }
        : null,
      memory_limit: compute.load ? computeSizes[found.compute_size].memoryGb * gigabyte : null,
      disk: found.disk,
      restarts: found.restarts,
      // Levels of a moment do not add up.
      totals: await totals(
        ref,
        meteredMetrics.filter((metric) => metric !== 'realtime_connections'),
      ),
    }
  }
