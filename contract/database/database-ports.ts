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
      /** Of the pooler, by mode, for the databases of all projects; null: there is none. */
      pooler: z.object({
        session: z.number().nullable(),
        transaction: z.number().nullable(),
        /** Connections to the server that clients in transaction mode share, and how many there may be at once. */
        size: z.number(),
        clients: z.number(),
      }),
    }),
  }),
}
