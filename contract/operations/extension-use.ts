import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { projectStatuses } from '../projects/project-status.ts'
import { ProjectRef } from '../values.ts'

/** What an operator has to know before a build of extensions is taken away (docs/operating.md). */
export const extensionUse = {
  list: endpoint('extension-use.list', 'GET /internal/extension-use', {
    needs: 'internal',
    local: true,
    input: z.object({}),
    returns: z.object({
      projects: z.array(
        z.object({
          ref: z.string(),
          name: z.string(),
          status: z.enum(projectStatuses),
          /** That its database has. */
          extensions: z.array(z.string()),
          /** Why that is not, or may not be, all of them; null when it is. */
          unknown: z.string().nullable(),
        }),
      ),
    }),
  }),
  /** So that its server has what was added. */
  restart: endpoint('extension-use.restart', 'POST /internal/extension-use/:ref/restart', {
    needs: 'internal',
    local: true,
    input: z.object({ ref: ProjectRef }),
    returns: z.object({ status: z.enum(projectStatuses) }),
  }),
}
