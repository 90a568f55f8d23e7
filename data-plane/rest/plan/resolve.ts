import { Problem } from '../answers/problem.ts'
import type { Relation, Schema } from '../catalog/schema.ts'
import { closest } from '../query/similar.ts'

/** What was not found may have been made a moment ago: the request is planned once more with a newer schema. */
export class MissingProblem extends Problem {}

export function findRelation(schema: Schema, profile: string, name: string): Relation {
  const relations = schema.relations.get(profile)
  const relation = relations?.get(name)
  if (relation) return relation
  const near = closest(name, relations?.keys() ?? [])
  throw new MissingProblem(
    404,
    'PGRST205',
    `Could not find the table '${profile}.${name}' in the schema cache`,
    { hint: near === undefined ? null : `Perhaps you meant the table '${profile}.${near}'` },
  )
}

/** @throws MissingProblem for the first name that is no column of the relation. */
export function checkColumns(relation: Relation, names: readonly string[]): void {
  const unknown = names.find((name) => !relation.columns.has(name))
  if (unknown === undefined) return
  throw new MissingProblem(
    400,
    'PGRST204',
    `Could not find the '${unknown}' column of '${relation.name}' in the schema cache`,
  )
}
