import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { inProject } from '../../permissions.ts'
import { oid } from '../pg-meta-inputs.ts'
import { RowFilter } from './table-rows.ts'
import { ProjectRef as ref } from '../../values.ts'

/** Many rows of a table in one statement. */
export const rowBulk = {
  /**
   * Deletes every row for which the conditions hold, and cannot be taken back. `most` is how many somebody was told of:
   * when there are more by now it is a conflict (409), and none is deleted.
   */
  remove: endpoint('row-bulk.remove', 'POST /platform/pg-meta/:ref/entities/:id/remove', {
    needs: inProject('tenant:Sql:Write:Delete', '*'),
    input: z.object({
      ref,
      id: oid,
      filters: z.array(RowFilter).max(50),
      max: z.number().int().min(1),
    }),
    returns: z.object({ removed: z.number() }),
  }),
}
