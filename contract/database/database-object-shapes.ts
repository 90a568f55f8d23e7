import { z } from 'zod'
import { Column, Named, sqlText } from './pg-meta-shapes.ts'

const relation = {
  id: z.number(),
  schema: z.string(),
  name: z.string(),
  comment: z.string().nullable(),
  columns: z.array(Column).optional(),
}
export const View = z.object({ ...relation, is_updatable: z.boolean() })
export type View = z.infer<typeof View>
export const MaterializedView = z.object({ ...relation, is_populated: z.boolean() })
export type MaterializedView = z.infer<typeof MaterializedView>
export const ForeignTable = z.object({
  ...relation,
  foreign_server_name: z.string(),
  foreign_data_wrapper_name: z.string(),
})
export type ForeignTable = z.infer<typeof ForeignTable>

export const Index = z.object({
  id: z.number(),
  table_id: z.number(),
  schema: z.string(),
  table: z.string(),
  name: z.string(),
  number_of_attributes: z.number(),
  number_of_key_attributes: z.number(),
  is_unique: z.boolean(),
  is_primary: z.boolean(),
  is_exclusion: z.boolean(),
  is_immediate: z.boolean(),
  is_clustered: z.boolean(),
  is_valid: z.boolean(),
  check_xmin: z.boolean(),
  is_ready: z.boolean(),
  is_live: z.boolean(),
  is_replica_identity: z.boolean(),
  /** Positions of the table's columns; 0 stands for an expression. */
  key_attributes: z.array(z.number()),
  collation: z.array(z.number()),
  class: z.array(z.number()),
  options: z.array(z.number()),
  index_predicate: z.string().nullable(),
  comment: z.string().nullable(),
  index_definition: z.string(),
  access_method: z.string(),
  index_attributes: z.array(
    z.object({
      attribute_number: z.number(),
      attribute_name: z.string(),
      data_type: z.string(),
    }),
  ),
  bytes: z.number(),
  size: z.string(),
  /** Since the server's statistics were last reset. */
  scans: z.number(),
  last_scan: z.string().nullable(),
  /** A constraint that it stands behind: such an index goes only with it. */
  constraint: z.string().nullable(),
})
export type Index = z.infer<typeof Index>

export const PublicationTable = z.object({ id: z.number(), schema: z.string(), name: z.string() })

export const Publication = z.object({
  id: z.number(),
  name: z.string(),
  owner: z.string(),
  publish_insert: z.boolean(),
  publish_update: z.boolean(),
  publish_delete: z.boolean(),
  publish_truncate: z.boolean(),
  /** Null: every table there is and will be. */
  tables: z.array(PublicationTable).nullable(),
  /** Schemas that are published as a whole. */
  schemas: z.array(z.string()),
  /** Row filters, column lists, whole schemas or partition roots: more than these fields say. */
  has_more: z.boolean(),
})
export type Publication = z.infer<typeof Publication>

/** `schema.table` as the public metadata API takes it (of a lone name the schema is public), or the two apart. */
const tableName = z.union([sqlText(130).min(1), z.object({ schema: Named, name: Named }).loose()])
const operations = {
  publish_insert: z.boolean().optional(),
  publish_update: z.boolean().optional(),
  publish_delete: z.boolean().optional(),
  publish_truncate: z.boolean().optional(),
}
export const NewPublication = z.object({
  name: Named,
  owner: Named.optional(),
  ...operations,
  tables: z.array(tableName).max(5000).nullish(),
})
export type NewPublication = z.output<typeof NewPublication>
export const PublicationChange = z.object({
  name: Named.optional(),
  owner: Named.optional(),
  ...operations,
  tables: z.array(tableName).max(5000).nullish(),
})
export type PublicationChange = z.output<typeof PublicationChange>

const flags = {
  is_superuser: z.boolean(),
  can_create_db: z.boolean(),
  can_create_role: z.boolean(),
  inherit_role: z.boolean(),
  can_login: z.boolean(),
  is_replication_role: z.boolean(),
  can_bypass_rls: z.boolean(),
}
export const Role = z.object({
  id: z.number(),
  name: z.string(),
  ...flags,
  active_connections: z.number(),
  /** What the server takes together when -1 stands for the role's own. */
  connection_limit: z.number(),
  /** Never the real one: `********`. */
  password: z.string(),
  valid_until: z.string().nullable(),
  config: z.record(z.string(), z.string()).nullable(),
  /** Roles whose rights it has. */
  member_of: z.array(z.string()),
  /** Whether the caller may make others a member of it. */
  may_grant: z.boolean(),
})
export type Role = z.infer<typeof Role>

const parameter = z
  .string()
  .regex(/^[A-Za-z_][\w$]*(\.[A-Za-z_][\w$]*)*$/, 'Not the name of a parameter')
const config = z.record(parameter, sqlText(10_000))
/** As the public metadata API takes it: steps as of JSON Patch, `path` being the parameter's name. */
const configSteps = z
  .array(
    z.object({
      op: z.enum(['add', 'replace', 'remove']),
      path: z
        .string()
        .transform((path) => path.replace(/^\//, ''))
        .pipe(parameter),
      value: sqlText(10_000).optional(),
    }),
  )
  .max(200)
const limit = z.number().int().min(-1).max(262_143)
const moment = z
  .string()
  .max(100)
  .refine((text) => !Number.isNaN(Date.parse(text)) || text === 'infinity', {
    message: 'Not a moment',
  })
const password = z
  .string()
  .min(1)
  .max(1000)
  .refine((text) => !text.includes('\0'), 'A password cannot contain a NUL character')

export const NewRole = z.object({
  name: Named,
  password: password.optional(),
  ...z.object(flags).partial().shape,
  connection_limit: limit.optional(),
  valid_until: moment.nullish(),
  member_of: z.array(Named).max(100).optional(),
  config: config.optional(),
})
export type NewRole = z.output<typeof NewRole>
export const RoleChange = z.object({
  name: Named.optional(),
  password: password.optional(),
  ...z.object(flags).partial().shape,
  connection_limit: limit.optional(),
  valid_until: moment.nullish(),
  config: z.union([configSteps, config]).optional(),
})
export type RoleChange = z.output<typeof RoleChange>

export const Extension = z.object({
  name: z.string(),
  /** Where its objects are; null while it is not installed. */
  schema: z.string().nullable(),
  default_version: z.string().nullable(),
  installed_version: z.string().nullable(),
  comment: z.string().nullable(),
  requires: z.array(z.string()),
  /** Installed extensions that need this one. */
  required_by: z.array(z.string()),
  /** The only schema it can be in; null when that is free. */
  fixed_schema: z.string().nullable(),
  relocatable: z.boolean(),
  /** Whether the caller may install it: an untrusted one takes a superuser. */
  may_enable: z.boolean(),
  /** Whether the caller may remove or update it, being its owner. */
  may_change: z.boolean(),
})
export type Extension = z.infer<typeof Extension>

/** Something that cannot go on without what it depends on, such as `table column` `public.books.tags`. */
export const Dependent = z.object({ type: z.string(), name: z.string() })
export type Dependent = z.infer<typeof Dependent>
