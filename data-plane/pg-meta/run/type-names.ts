import type { PoolClient } from 'pg'

/** Types below this are the server's own and the same in every database. */
const firstUserType = 16_384

const ownTypes = new Map<number, string>()

const namesOf = `
  select t.oid as id, coalesce(e.typname || '[]', t.typname) as name
  from pg_type t
  left join pg_type e on t.typcategory = 'A' and e.oid = t.typelem
`

/** Short names (`int8`, `text[]`, `my_enum`) of types by id. What no longer exists, or not yet for others, is missing. */
export async function typeNames(
  ids: readonly number[],
  use: <T>(work: (client: PoolClient) => Promise<T>) => Promise<T>,
): Promise<Map<number, string>> {
  const known = new Map<number, string>()
  const asked = ids.filter((id) => id >= firstUserType)
  if (ownTypes.size === 0 || asked.length > 0) {
    const where =
      ownTypes.size === 0
        ? 'where t.oid < $1 or t.oid = any ($2)'
        : 'where $1 > 0 and t.oid = any ($2)'
    const sql = [namesOf, where].join('')
    const found = await use((client) =>
      client.query<{ id: number; name: string }>(sql, [firstUserType, asked]),
    )
    for (const { id, name } of found.rows) (id < firstUserType ? ownTypes : known).set(id, name)
  }
  for (const id of ids) {
    const name = ownTypes.get(id)
    if (name) known.set(id, name)
  }
  return known
}
