import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { inProject } from '../../permissions.ts'
import { oid } from '../pg-meta-inputs.ts'
import { Named } from '../pg-meta-shapes.ts'
import { ProjectRef as ref } from '../../values.ts'

/** Finding a row that a foreign key may refer to. `id` is the entity's that the key leads to. */
export const rowLookup = {
  /**
   * Rows in the order of `column`, whose value begins with `search` or that say it in their first texts. Of a large table
   * only beginnings are looked for, and only where an index finds them; so no search reads all of it.
   */
  find: endpoint('row-lookup.find', 'POST /platform/pg-meta/:ref/entities/:id/lookup', {
    needs: inProject('tenant:Sql:Query', '*'),
    input: z.object({
      ref,
      id: oid,
      column: Named,
      /** The other columns of a key of several: each row says theirs too, and is known by all of them together. */
      also: z.array(Named).max(31).default([]),
      search: z.string().trim().max(200).default(''),
      limit: z.number().int().min(1).max(100).default(20),
      /** `next` of another answer to the same search. */
      after: z.string().max(10_001).optional(),
    }),
    returns: z.object({
      rows: z.array(
        z.object({
          value: z.string(),
          /** Of the columns of `also`, in their order. */
          also: z.array(z.string().nullable()),
          words: z.array(z.string().nullable()),
        }),
      ),
      next: z.string().nullable(),
      /** Other rows may hold what was searched for further inside. */
      only_beginnings: z.boolean(),
    }),
  }),
}
