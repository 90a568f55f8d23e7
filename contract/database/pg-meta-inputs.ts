import { z } from 'zod'
import { ProjectRef as ref } from '../values.ts'

/** Query strings have no booleans. */
export const metaFlag = z.enum(['true', 'false']).default('false')

/** A catalog oid. */
export const oid = z.coerce.number().int().min(0).max(4_294_967_295)

/** `table id.position`, as every list of columns gives it. */
export const columnId = z
  .string()
  .regex(/^\d{1,10}\.\d{1,5}$/, 'A column id is a table id, a dot and a position')

export const byRef = z.object({ ref })
export const byId = z.object({ ref, id: oid })

/** Which part of a list is asked for. */
export const paged = byRef.extend({
  limit: z.coerce.number().int().min(1).max(10_000).optional(),
  offset: z.coerce.number().int().min(0).default(0),
})

/** The same of what is in schemas (names separated by commas). */
export const listed = paged.extend({
  include_system_schemas: metaFlag,
  included_schemas: z.string().max(10_000).optional(),
  excluded_schemas: z.string().max(10_000).optional(),
})

/** The same of what has columns. */
export const listedWithColumns = listed.extend({
  include_columns: z.enum(['true', 'false']).default('true'),
})
