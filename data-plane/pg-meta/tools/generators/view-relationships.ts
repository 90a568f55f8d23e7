import { originsIn, tableOrigins, waysToSee } from '#kit/postgres/view-origins'
import type { Queryable } from '../../queryable.ts'
import { rowsOf } from '../../scope.ts'
import type { RelationFact } from './facts.ts'
import { foreignKeysSql, viewRulesSql } from './facts-sql.ts'

type Key = {
  name: string
  relation: number
  columns: number[]
  target: number
  target_columns: number[]
  is_one_to_one: boolean
}
/** A relation that shows the columns of one end of a foreign key, and what they are called there. */
type End = { relation: RelationFact; columns: string[] }

/**
 * A foreign key also holds between views that show its columns: from view to table, from table to view, from view to view.
 * Adds those to the relations that are known.
 */
export async function addViewRelationships(
  db: Queryable,
  relations: readonly RelationFact[],
): Promise<void> {
  const views = relations.filter(({ kind }) => kind === 'view' || kind === 'materialized_view')
  if (views.length === 0) return
  const rules = await rowsOf<{ id: number; rule: string }>(db, viewRulesSql, [])
  const origins = tableOrigins(new Map(rules.map(({ id, rule }) => [id, originsIn(rule)])))
  const keys = await rowsOf<Key>(db, foreignKeysSql, [])
  const byId = new Map(relations.map((relation) => [relation.id, relation]))

  /** The table itself, when it is known, and each view that shows all of these columns. */
  function endsOf(table: number, columns: readonly number[]): { table?: End; views: End[] } {
    const own = byId.get(table)
    return {
      ...(own ? { table: { relation: own, columns: namesOf(own, columns) } } : {}),
      views: views.flatMap((view) =>
        waysToSee(origins.get(view.id) ?? [], table, columns).map((way) => ({
          relation: view,
          columns: namesOf(view, way),
        })),
      ),
    }
  }

  for (const key of keys) {
    const from = endsOf(key.relation, key.columns)
    const to = endsOf(key.target, key.target_columns)
    const pairs = [
      ...from.views.flatMap((view) => (to.table ? [[view, to.table] as const] : [])),
      ...to.views.flatMap((view) => (from.table ? [[from.table, view] as const] : [])),
      ...from.views.flatMap((view) => to.views.map((other) => [view, other] as const)),
    ]
    for (const [source, target] of pairs)
      source.relation.relationships.push({
        name: key.name,
        columns: source.columns,
        is_one_to_one: key.is_one_to_one,
        schema: target.relation.schema,
        relation: target.relation.name,
        referenced_columns: target.columns,
      })
  }
}

const namesOf = ({ columns }: RelationFact, positions: readonly number[]) =>
  positions.map((position) => columns.find(({ num }) => num === position)?.name ?? '')
