import type { Queryable } from '../../queryable.ts'
import { inScope, rowsOf, scopeValues } from '../../scope.ts'
import type { Facts, FunctionFact, RelationFact, TypeFact } from './facts.ts'
import { functionsSql, relationsSql, schemasSql, typesSql } from './facts-sql.ts'
import { addViewRelationships } from './view-relationships.ts'

export async function readFacts(
  db: Queryable,
  input: { included_schemas?: string | undefined; excluded_schemas?: string | undefined },
): Promise<Facts> {
  const values = scopeValues({ ...input, include_system_schemas: 'false', offset: 0 })
  const names = await rowsOf<{ name: string }>(db, schemasSql(inScope), values)
  const schemas = names.map(({ name }) => name)
  const relations = await rowsOf<RelationFact>(db, relationsSql, [schemas])
  await addViewRelationships(db, relations)
  const functions = await rowsOf<FunctionFact>(db, functionsSql, [schemas])
  const types = await rowsOf<TypeFact>(db, typesSql, [])
  return {
    schemas,
    relations,
    functions,
    types: new Map(types.map((type) => [type.id, type])),
  }
}
