import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { displayName, ProjectRef } from '../values.ts'

const ByRef = z.object({ ref: ProjectRef })
const Brief = z.object({ id: z.number(), ref: z.string(), name: z.string() })

/** What is done with a project that stands. */
export const v1ProjectLife = {
  updateProject: endpoint('v1.updateProject', 'PATCH /v1/projects/:ref', {
    needs: inProject('write:Update', 'projects'),
    input: ByRef.extend({ name: displayName(3, 64) }),
    returns: Brief,
  }),
  pause: endpoint('v1.pause', 'POST /v1/projects/:ref/pause', {
    needs: inProject('infra:Execute', 'queue_jobs.projects.pause'),
    input: ByRef,
    returns: Brief,
  }),
  /** Versions that a paused project can come back as: the one it has. */
  restoreVersions: endpoint('v1.restoreVersions', 'GET /v1/projects/:ref/restore', {
    needs: inProject('read:Read', 'projects'),
    input: ByRef,
    returns: z.object({
      available_versions: z.array(
        z.object({
          version: z.string(),
          release_channel: z.string(),
          postgres_engine: z.string(),
        }),
      ),
    }),
  }),
  restore: endpoint('v1.restore', 'POST /v1/projects/:ref/restore', {
    needs: inProject('infra:Execute', 'queue_jobs.projects.initialize_or_resume'),
    input: ByRef,
    returns: Brief,
  }),
  /** Ends a restore that is under way: the project is then RESTORE_FAILED and can be restored again. */
  cancelRestore: endpoint('v1.cancelRestore', 'POST /v1/projects/:ref/restore/cancel', {
    needs: inProject('infra:Execute', 'queue_jobs.projects.initialize_or_resume'),
    input: ByRef,
    returns: z.object({}),
  }),
}
