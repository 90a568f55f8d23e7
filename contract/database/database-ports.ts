import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { ProjectRef } from '../values.ts'

/** The port at which people and programs reach the database of a project. */
export const databasePorts = {
  get: endpoint('databasePorts.get', 'GET /platform/projects/:ref/database-port', {
    needs: inProject('read:Read', 'projects'),
    input: z.object({ ref: ProjectRef }),
    returns: z.object({
      /** Null while there is none. */
      port: z.number().nullable(),
      /** Why nobody is let in there at the moment, in words. */
      problem: z.string().nullable(),
    }),
  }),
}
