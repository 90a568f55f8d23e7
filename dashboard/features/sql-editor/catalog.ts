import { pgMeta } from '#contract/pg-meta'
import type { Column } from '#contract/pg-meta-shapes'
import { queryClient } from '../../api/client.ts'
import { databaseQuery } from '../../session/database.ts'
import type { Relation } from './completion.ts'

/** Beyond this many columns completion knows only the first ones. */
const limit = 10_000

/** Tables and views of a project with their columns, read when they are first asked for. Nothing when they can not be. */
export async function readCatalog(ref: string): Promise<readonly Relation[]> {
  try {
    const columns = await queryClient.ensureQueryData({
      ...databaseQuery(pgMeta.columns, { ref, limit }),
      revalidateIfStale: true,
    })
    return relationsOf(columns)
  } catch {
    // Completion goes on with keywords; whatever is wrong shows when the query runs.
    return []
  }
}

const known = new WeakMap<readonly Column[], readonly Relation[]>()

function relationsOf(columns: readonly Column[]): readonly Relation[] {
  const before = known.get(columns)
  if (before) return before
  const tables = new Map<number, Relation>()
  for (const { table_id, schema, table, name, format } of columns) {
    const relation = tables.get(table_id) ?? { schema, name: table, columns: [] }
    relation.columns.push({ name, type: format })
    tables.set(table_id, relation)
  }
  const relations = [...tables.values()]
  known.set(columns, relations)
  return relations
}
