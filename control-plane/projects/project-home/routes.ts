import { internal } from '#contract/internal-api'
import { projectHome as api, type ServiceState } from '#contract/projects/project-home'
import type { ProjectStatus } from '#contract/projects/project-status'
import { implement, implementOpen } from '#kit/http'
import type { HomeStore } from './store.ts'
import type { createUsage } from './usage.ts'

type Parts = {
  store: HomeStore
  usage: ReturnType<typeof createUsage>
  statusOf: (ref: string) => Promise<ProjectStatus>
  servicesOf: (ref: string, status: ProjectStatus) => Promise<ServiceState[]>
}

/** Changes shown on a project's home. */
const newest = 10

export const projectHomeRoutes = ({ store, usage, statusOf, servicesOf }: Parts) => [
  implement(api.services, async ({ ref }) => servicesOf(ref, await statusOf(ref))),
  implement(api.activity, async ({ ref }) =>
    (await store.activity(ref, newest)).map((row) => ({
      id: row.id,
      action: row.action,
      by: row.actor_email,
      occurred_at: row.occurred_at.toISOString(),
    })),
  ),
  implement(api.usage, ({ ref, range }) => usage.of(ref, range)),
  implementOpen(internal.requestCounts, async ({ counts }) => {
    await usage.add(counts)
    return { kept: counts.length }
  }),
]
