import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { listed } from './pg-meta-inputs.ts'
import { inProject } from '../permissions.ts'

export const customTypeKinds = ['enum', 'composite', 'domain', 'range'] as const
export type CustomTypeKind = (typeof customTypeKinds)[number]

/** A type that people have made, with its parts. */
export const CustomType = z.object({
  id: z.number(),
  schema: z.string(),
  name: z.string(),
  kind: z.enum(customTypeKinds),
  /** Of an enum, in their order. */
  values: z.array(z.string()),
  /** Of a composite type. `type` is SQL. */
  attributes: z.array(z.object({ name: z.string(), type: z.string() })),
  /** The type a domain or range is made of, as SQL. */
  base_type: z.string().nullable(),
  not_null: z.boolean(),
  default_value: z.string().nullable(),
  /** Of a domain, as `CHECK ((VALUE > 0))`. */
  checks: z.array(z.object({ name: z.string(), definition: z.string() })),
  comment: z.string().nullable(),
  /** Columns of tables and views that have it, or a list of it. */
  used_by: z.array(z.object({ schema: z.string(), table: z.string(), column: z.string() })),
  extension: z.string().nullable(),
})
export type CustomType = z.infer<typeof CustomType>

export const databaseTypes = {
  list: endpoint('pg-meta.custom-types', 'GET /platform/pg-meta/:ref/custom-types', {
    needs: inProject('tenant:Sql:Admin:Read', 'types'),
    input: listed,
    returns: z.array(CustomType),
  }),
}
