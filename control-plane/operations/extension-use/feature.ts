import { z } from 'zod'
import { dataPlaneApi } from '#contract/data-plane-api'
import { extensionUse as api } from '#contract/operations/extension-use'
import { movesInto, type ProjectStatus } from '#contract/projects/project-status'
import { createLimiter } from '#kit/concurrency'
import { ApiError } from '#kit/errors'
import { implementOpen, type Origin } from '#kit/http'
import type { Platform } from '../../platform.ts'
import { extensionUseStore, useQuery } from './store.ts'

const Answer = z.object({ extensions: z.array(z.string()), others: z.array(z.string()) })
const running: ProjectStatus[] = ['ACTIVE_HEALTHY', 'ACTIVE_UNHEALTHY']

type Use = { extensions: string[]; unknown: string | null }

/** Which extensions the projects of this installation use, for whoever takes a build of some away. */
export function extensionUseFeature({ db, dataPlane, projects, jobs, record }: Platform) {
  const store = extensionUseStore(db)

  async function useOf(ref: string, status: ProjectStatus): Promise<Use> {
    if (status === 'REMOVED')
      return { extensions: [], unknown: 'it is deleted and can still be restored' }
    if (!running.includes(status)) return { extensions: [], unknown: 'it does not run' }
    try {
      const rows = await dataPlane.ask(dataPlaneApi.query, {
        params: { ref },
        login: 'plinth_read_only',
        as: 'plinth-platform',
        body: { query: useQuery },
      })
      const { extensions, others } = Answer.parse(rows[0])
      const unknown =
        others.length === 0 ? null : `it has further databases: ${others.slice(0, 5).join(', ')}`
      return { extensions, unknown }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { extensions: [], unknown: error.message }
    }
  }

  /** As its owner would restart it; the entry of the audit log names nobody. */
  async function restart(ref: string, origin: Origin): Promise<{ status: ProjectStatus }> {
    const row = await projects.find(ref)
    if (!row) throw new ApiError('project_not_found')
    const status = 'RESTARTING'
    const job = await projects.transaction(async (tx) => {
      const accepted = await jobs.accept(tx, 'project.restart', ref)
      const how = { nextJob: accepted.id }
      const moved = await projects.transition(tx, ref, movesInto(status), status, how)
      if (!moved) throw new ApiError('project_busy')
      await record(tx, {
        organizationId: row.organization_id,
        actor: null,
        action: 'projects.restart',
        target: `project:${ref}`,
        change: { before: { status: row.status }, after: { status } },
        origin,
      })
      return accepted
    })
    await jobs.start(job)
    return { status }
  }

  return {
    routes: [
      implementOpen(api.restart, ({ ref }, origin) => restart(ref, origin)),
      implementOpen(api.list, async () => {
        const limited = createLimiter({ concurrency: 4 })
        const uses = (await store.projects()).map(async (project) => ({
          ...project,
          ...(await limited(() => useOf(project.ref, project.status))),
        }))
        return { projects: await Promise.all(uses) }
      }),
    ],
  }
}
