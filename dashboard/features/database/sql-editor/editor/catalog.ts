import { sqlTools, type SqlRelation, type SqlFunction } from '#contract/database/sql/sql-tools'
import { queryClient } from '../../../../api/client.ts'
import { databaseQuery } from '../../../../session/project/database.ts'
import type { Relation } from './completion.ts'

/** Tables and views of a project with their columns, read when they are first asked for. Nothing when they cannot be. */
export async function readCatalog(ref: string): Promise<readonly Relation[]> {
  try {
    const found = await queryClient.ensureQueryData({
      ...databaseQuery(sqlTools.relations, { ref }),
      revalidateIfStale: true,
    })
    return relationsOf(found)
  } catch {
    // Completion goes on with keywords; whatever is wrong shows when the query runs.
    return []
  }
}

const known = new WeakMap<readonly SqlRelation[], readonly Relation[]>()

function relationsOf(found: readonly SqlRelation[]): readonly Relation[] {
  const before = known.get(found)
  if (before) return before
  const relations = found.map(({ schema, name, columns, types }) => ({
    schema,
    name,
    columns: columns.map((column, at) => ({ name: column, type: types[at] ?? '' })),
  }))
  known.set(found, relations)
  return relations
}

const quarterHour = 15 * 60_000

/** The functions of a name, or the project's own. Nothing when they cannot be read: typing goes on without help. */
export async function readFunctions(ref: string, name?: string): Promise<readonly SqlFunction[]> {
  try {
    const input = { ref, ...(name === undefined ? {} : { name }) }
    return await queryClient.ensureQueryData({
      ...databaseQuery(sqlTools.functions, input, quarterHour),
      revalidateIfStale: true,
    })
  } catch {
    return []
  }
}
