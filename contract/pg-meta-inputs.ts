import { z } from 'zod'
import { ProjectRef as ref } from './values.ts'

/** Query strings have no booleans. */
export const metaFlag = z.enum(['true', 'false']).default('false')

/** A catalog oid. */
const oid = z.coerce.number().int().min(0).max(4_294_967_295)

export const byRef = z.object({ ref })
export const byId = z.object({ ref, id: oid })

/** Which schemas a list covers (names separated by commas) and which part of it is asked for. */
export const listed = z.object({
  ref,
  include_system_schemas: metaFlag,
  included_schemas: z.string().max(10_000).optional(),
  excluded_schemas: z.string().max(10_000).optional(),
  limit: z.coerce.number().int().min(1).max(10_000).optional(),
  offset: z.coerce.number().int().min(0).default(0),
})
