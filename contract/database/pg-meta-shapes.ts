import { z } from 'zod'

/** A name of something in a database. Postgres cuts at 63 bytes and knows no NUL; we refuse both instead. */
export const Named = z
  .string()
  .min(1)
  .refine((name) => !name.includes('\0'), 'A name cannot contain a NUL character')
  .refine((name) => new TextEncoder().encode(name).length <= 63, 'A name has at most 63 bytes')

/** SQL text that people write. A NUL cannot reach Postgres, so it is refused here. */
export const sqlText = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !text.includes('\0'), 'SQL cannot contain a NUL character')

export const Schema = z.object({ id: z.number(), name: z.string(), owner: z.string() })
export type Schema = z.infer<typeof Schema>

export const Column = z.object({
  table_id: z.number(),
  schema: z.string(),
  table: z.string(),
  /** `table id.position` */
  id: z.string(),
  ordinal_position: z.number(),
  name: z.string(),
  default_value: z.string().nullable(),
  /** As information_schema says it: `bigint`, `ARRAY`, `USER-DEFINED`. */
  data_type: z.string(),
  /** The type's own name: `int8`, `_text`, `my_enum`. */
  format: z.string(),
  is_identity: z.boolean(),
  identity_generation: z.enum(['ALWAYS', 'BY DEFAULT']).nullable(),
  is_generated: z.boolean(),
  is_nullable: z.boolean(),
  is_updatable: z.boolean(),
  is_unique: z.boolean(),
  enums: z.array(z.string()),
  /** Only checks of this one column. */
  check: z.string().nullable(),
  comment: z.string().nullable(),
})
export type Column = z.infer<typeof Column>

/** A column as whoever edits its values needs it. */
export const EntityColumn = Column.extend({
  /** The type in full, of a domain the one beneath it: `numeric(10,2)`, `text[]`. */
  type: z.string(),
  /** As people write the type: `varchar(20)`, `mood[]`, or the name of a domain. */
  type_label: z.string().optional(),
  /** What a domain is made of. */
  base_type: z.string().nullish(),
})
export type EntityColumn = z.infer<typeof EntityColumn>

export const Table = z.object({
  id: z.number(),
  schema: z.string(),
  name: z.string(),
  rls_enabled: z.boolean(),
  rls_forced: z.boolean(),
  replica_identity: z.enum(['DEFAULT', 'INDEX', 'FULL', 'NOTHING']),
  bytes: z.number(),
  size: z.string(),
  live_rows_estimate: z.number(),
  dead_rows_estimate: z.number(),
  comment: z.string().nullable(),
  columns: z.array(Column).optional(),
  primary_keys: z.array(
    z.object({
      table_id: z.number(),
      schema: z.string(),
      table_name: z.string(),
      name: z.string(),
    }),
  ),
  relationships: z.array(
    z.object({
      id: z.number(),
      constraint_name: z.string(),
      source_schema: z.string(),
      source_table_name: z.string(),
      source_column_name: z.string(),
      target_table_schema: z.string(),
      target_table_name: z.string(),
      target_column_name: z.string(),
    }),
  ),
})
export type Table = z.infer<typeof Table>

const defaultOf = {
  /** A value as text (`literal`), or SQL (`expression`). */
  default_value: z.union([sqlText(10_000), z.number(), z.boolean()]).nullish(),
  default_value_format: z.enum(['literal', 'expression']).default('literal'),
}

export const NewColumn = z.object({
  name: Named,
  /** `int8`, `varchar(20)`, `my_schema.my_enum[]` */
  type: sqlText(300).min(1),
  ...defaultOf,
  is_identity: z.boolean().default(false),
  identity_generation: z.enum(['ALWAYS', 'BY DEFAULT']).default('BY DEFAULT'),
  is_nullable: z.boolean().default(true),
  is_primary_key: z.boolean().default(false),
  is_unique: z.boolean().default(false),
  comment: sqlText(10_000).nullish(),
  check: sqlText(10_000).nullish(),
})
export type NewColumn = z.output<typeof NewColumn>

export const ColumnChange = z.object({
  name: Named.optional(),
  type: sqlText(300).min(1).optional(),
  drop_default: z.boolean().default(false),
  ...defaultOf,
  is_identity: z.boolean().optional(),
  identity_generation: z.enum(['ALWAYS', 'BY DEFAULT']).optional(),
  is_nullable: z.boolean().optional(),
  is_unique: z.boolean().optional(),
  comment: sqlText(10_000).nullish(),
  check: sqlText(10_000).nullish(),
})
export type ColumnChange = z.output<typeof ColumnChange>

/** Table, columns, key, comment and row level security are made in one transaction. */
export const NewTable = z.object({
  name: Named,
  schema: Named.default('public'),
  comment: sqlText(10_000).nullish(),
  rls_enabled: z.boolean().default(false),
  columns: z.array(NewColumn).max(1600).default([]),
})
export type NewTable = z.output<typeof NewTable>

export const TableChange = z.object({
  name: Named.optional(),
  schema: Named.optional(),
  rls_enabled: z.boolean().optional(),
  rls_forced: z.boolean().optional(),
  replica_identity: z.enum(['DEFAULT', 'INDEX', 'FULL', 'NOTHING']).optional(),
  replica_identity_index: Named.optional(),
  /** The whole new key; an empty list drops it. */
  primary_keys: z
    .array(z.object({ name: Named }))
    .max(32)
    .optional(),
  comment: sqlText(10_000).nullish(),
})
export type TableChange = z.output<typeof TableChange>

export const SqlType = z.object({
  id: z.number(),
  name: z.string(),
  schema: z.string(),
  format: z.string(),
  enums: z.array(z.string()),
  attributes: z.array(z.object({ name: z.string(), type_id: z.number() })),
  comment: z.string().nullable(),
  type_relation_id: z.number().nullable(),
})
export type SqlType = z.infer<typeof SqlType>

export const Policy = z.object({
  id: z.number(),
  schema: z.string(),
  table: z.string(),
  table_id: z.number(),
  name: z.string(),
  action: z.enum(['PERMISSIVE', 'RESTRICTIVE']),
  roles: z.array(z.string()),
  command: z.enum(['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'ALL']),
  definition: z.string().nullable(),
  check: z.string().nullable(),
})
export type Policy = z.infer<typeof Policy>

export const entityKinds = [
  'table',
  'partitioned_table',
  'view',
  'materialized_view',
  'foreign_table',
] as const
export type EntityKind = (typeof entityKinds)[number]

export const Entity = z.object({
  id: z.number(),
  schema: z.string(),
  name: z.string(),
  kind: z.enum(entityKinds),
  comment: z.string().nullable(),
  rls_enabled: z.boolean(),
  /** A view that reads its tables with its owner's rights, past the policies of whoever asks. */
  security_definer: z.boolean(),
  /** Of a table in the same schema, which it follows in a list. */
  is_partition: z.boolean().optional(),
  /** Null for what has no rows of its own to count. */
  rows_estimate: z.number().nullable(),
})
export type Entity = z.infer<typeof Entity>

export const ForeignKey = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  target_id: z.number(),
  target_schema: z.string(),
  target_table: z.string(),
  target_columns: z.array(z.string()),
  on_update: z.string(),
  on_delete: z.string(),
})

export const EntityDetail = Entity.extend({
  columns: z.array(EntityColumn),
  /** By which a row is found; of a view the columns that show the key of its table. */
  primary_key: z.array(z.string()),
  foreign_keys: z.array(ForeignKey),
  /** Check constraints and the columns that they read. */
  checks: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  policies: z.number(),
  /** Why rows cannot be changed here; null when they can. */
  read_only_because: z.string().nullable(),
  /** Why rows that are there cannot be changed, though new ones can be inserted; null when they can. */
  fixed_rows_because: z.string().nullable(),
})
export type EntityDetail = z.infer<typeof EntityDetail>
