import type { EntityColumn } from '#contract/database/pg-meta-shapes'

/** A column as the metadata API describes it. */
export const columnOf = (
  name: string,
  format: string,
  more: Partial<EntityColumn> = {},
): EntityColumn => ({
  table_id: 1,
  schema: 'public',
  table: 't',
  id: `1.${name}`,
  ordinal_position: 1,
  name,
  format,
  type: format,
  data_type: format,
  default_value: null,
  is_identity: false,
  identity_generation: null,
  is_generated: false,
  is_nullable: true,
  is_updatable: true,
  is_unique: false,
  enums: [],
  check: null,
  comment: null,
  ...more,
})
