import type { Schema } from '#contract/database/pg-meta-shapes'
import { ApiError } from '#kit/errors'
import { changeSchema, createSchema as creation, dropSchema } from '#contract/ddl/schemas'
import { executeChange } from '../execute-change.ts'
import type { Queryable } from '../queryable.ts'
import { inScope, rowsOf, scopeValues, type Scope } from '../scope.ts'

const schemaRows = `
  select n.oid as id, n.nspname as name, pg_get_userbyid(n.nspowner) as owner
  from pg_namespace n
`

/** Sessions' temporary schemas are nobody's to see. */
const listed = `
  where n.nspname not like 'pg\\_temp\\_%' and n.nspname not like 'pg\\_toast\\_temp\\_%'
    and ${inScope} and (pg_has_role(n.nspowner, 'USAGE') or has_schema_privilege(n.oid, 'CREATE, USAGE'))
  order by n.nspname limit $4 offset $5
`

export function listSchemas(db: Queryable, scope: Scope): Promise<Schema[]> {
  const values = [...scopeValues(scope), scope.limit ?? null, scope.offset]
  return rowsOf<Schema>(db, schemaRows + listed, values)
}

export async function getSchema(db: Queryable, id: number): Promise<Schema> {
  const [schema] = await rowsOf<Schema>(db, `${schemaRows} where n.oid = $1`, [id])
  if (!schema) throw new ApiError('not_found', `Cannot find a schema with ID ${id}`)
  return schema
}

export async function createSchema(
  db: Queryable,
  { name, owner }: { name: string; owner?: string | undefined },
): Promise<Schema> {
  await executeChange(db, creation(name, owner))
  const [schema] = await rowsOf<Schema>(db, `${schemaRows} where n.nspname = $1`, [name])
  if (!schema) throw new Error('A schema that was just created is missing')
  return schema
}

export async function updateSchema(
  db: Queryable,
  change: { id: number; name?: string | undefined; owner?: string | undefined },
): Promise<Schema> {
  const schema = await getSchema(db, change.id)
  const { name = schema.name, owner = schema.owner } = change
  await executeChange(db, changeSchema(schema, { name, owner }))
  return getSchema(db, change.id)
}

export async function deleteSchema(
  db: Queryable,
  { id, cascade }: { id: number; cascade: 'true' | 'false' },
): Promise<Schema> {
  const schema = await getSchema(db, id)
  await executeChange(db, dropSchema(schema.name, cascade === 'true'))
  return schema
}
