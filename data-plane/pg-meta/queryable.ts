import type { QueryResult } from 'pg'

/** The part of a session that most of this feature needs. A named statement is planned once for the session. */
export type Queryable = {
  query<T extends object>(sql: string, values?: unknown[]): Promise<QueryResult<T>>
  query<T extends object>(config: {
    name: string
    text: string
    values: unknown[]
  }): Promise<QueryResult<T>>
}
