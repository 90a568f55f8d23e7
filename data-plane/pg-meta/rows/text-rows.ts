import type { QueryArrayConfig, QueryArrayResult } from 'pg'

/** A session that can answer rows as lists. */
export type TextQueryable = {
  query(config: QueryArrayConfig): Promise<QueryArrayResult<(string | null)[]>>
}

/** Values just as Postgres prints them: nothing is parsed, so nothing is lost. */
export const asPrinted = { getTypeParser: () => (text: string) => text }

export async function asText(
  db: TextQueryable,
  text: string,
  values: readonly (string | null)[],
): Promise<(string | null)[][]> {
  const config: QueryArrayConfig = { text, values: [...values], rowMode: 'array', types: asPrinted }
  return (await db.query(config)).rows
}
