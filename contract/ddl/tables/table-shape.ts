/** Who calls a project through its API; their rights on a table are part of its form. */
export const apiRoles = ['anon', 'authenticated', 'service_role'] as const

/** All that Postgres 17 knows for tables, in its own order. */
export const tablePrivileges = [
  'SELECT',
  'INSERT',
  'UPDATE',
  'DELETE',
  'TRUNCATE',
  'REFERENCES',
  'TRIGGER',
  'MAINTAIN',
] as const
export type TablePrivilege = (typeof tablePrivileges)[number]

export type RoleAccess = { role: string; privileges: TablePrivilege[] }

export const keyActions = ['NO ACTION', 'CASCADE', 'RESTRICT', 'SET DEFAULT', 'SET NULL'] as const
export type KeyAction = (typeof keyActions)[number]

export type ForeignKeyShape = {
  name: string
  columns: string[]
  target_schema: string
  target_table: string
  /** In pairs with `columns`. */
  target_columns: string[]
  on_update: KeyAction
  on_delete: KeyAction
}

export type ColumnShape = {
  name: string
  /** As SQL: `int8`, `numeric(10,2)`, `app."My enum"[]`. */
  type: string
  nullable: boolean
  /** SQL expressions, all three. */
  default: string | null
  generated: string | null
  check: string | null
  identity: 'ALWAYS' | 'BY DEFAULT' | null
  /** Unique by itself. */
  unique: boolean
  comment: string | null
  /** Of the constraints behind `unique` and `check`; null: it is none (unique by an index), or not named yet. */
  unique_name: string | null
  check_name: string | null
}

/** Everything about a table that its form can change. */
export type TableShape = {
  schema: string
  name: string
  comment: string | null
  rls: boolean
  /** Whether changes are sent to clients; null: this database has no publication for that. */
  realtime: boolean | null
  columns: ColumnShape[]
  primary_key: { name: string | null; columns: string[] }
  foreign_keys: ForeignKeyShape[]
  /** Of the API's roles that this database has. */
  access: RoleAccess[]
}

/** A column as it is wanted: `was` is its name in the database now, undefined for a new one. */
export type DesiredColumn = ColumnShape & { was?: string | undefined }
/** An empty name of a key asks for one. */
export type DesiredTable = Omit<TableShape, 'columns'> & { columns: DesiredColumn[] }

/** The publication whose tables clients can listen to. */
export const realtimePublication = 'supabase_realtime'
