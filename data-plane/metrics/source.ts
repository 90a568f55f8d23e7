import type { ProjectMetrics } from '#contract/observability/project-metrics'

/** What the control plane knows of a project. Rejects when it does not answer. */
export type MetricsSource = (ref: string) => Promise<ProjectMetrics>
