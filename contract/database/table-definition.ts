import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { ProjectRef as ref } from '../values.ts'

export const tableDefinition = {
  /** A table or view as the SQL that would make it again, and whether its changes are sent to clients. */
  get: endpoint('table-definition.get', 'GET /platform/pg-meta/:ref/entities/:id/definition', {
    needs: inProject('tenant:Sql:Admin:Read', 'tables'),
    input: z.object({ ref, id: z.coerce.number().int().min(0).max(4_294_967_295) }),
    returns: z.object({
      sql: z.string(),
      /** Null: this database has no publication for that. */
      realtime: z.boolean().nullable(),
    }),
  }),
}
