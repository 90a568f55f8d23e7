import type { ColumnType } from 'kysely'

/** Written by the database when not given. */
export type Stamp = ColumnType<Date, Date | undefined, Date>
