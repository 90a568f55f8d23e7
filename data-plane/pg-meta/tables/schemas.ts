import type { Schema } from '#contract/pg-meta-shapes'
import { ApiError } from '#kit/errors'
import { quoteIdent } from '#contract/ddl/sql-text'
import type { Queryable } from '../queryable.ts'
import { rowsOf } from '../scope.ts'

const schemaRows = `
  select n.oid as id, n.nspname as name, pg_get_userbyid(n.nspowner) as owner
  from pg_namespace n
`

/** Sessions' temporary schemas are nobody's to see. */
const listed = `
  where n.nspname not like 'pg\\_temp\\_%' and n.nspname not like 'pg\\_toast\\_temp\\_%'
    and ($1 or (n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'))
    and (pg_has_role(n.nspowner, 'USAGE') or has_schema_privilege(n.oid, 'CREATE, USAGE'))
  order by n.nspname limit $2 offset $3
`

export function listSchemas(
  db: Queryable,
  input: { include_system_schemas: 'true' | 'false'; limit?: number | undefined; offset: number },
): Promise<Schema[]> {
  const values = [input.include_system_schemas === 'true', input.limit ?? null, input.offset]
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
  const sql = `create schema ${quoteIdent(name)}${owner ? ` authorization ${quoteIdent(owner)}` : ''}`
  await db.query(sql)
  const [schema] = await rowsOf<Schema>(db, `${schemaRows} where n.nspname = $1`, [name])
  if (!schema) throw new Error('A schema that was just created is missing')
  return schema
}

export async function updateSchema(
  db: Queryable,
  { id, name, owner }: { id: number; name?: string | undefined; owner?: string | undefined },
): Promise<Schema> {
  const old = quoteIdent((await getSchema(db, id)).name)
  const setOwner =
    owner === undefined ? undefined : `alter schema ${old} owner to ${quoteIdent(owner)}`
  const rename =
    name === undefined ? undefined : `alter schema ${old} rename to ${quoteIdent(name)}`
  if (setOwner) await db.query(setOwner)
  if (rename) await db.query(rename)
  return getSchema(db, id)
}

export async function deleteSchema(
  db: Queryable,
  { id, cascade }: { id: number; cascade: 'true' | 'false' },
): Promise<Schema> {
  const schema = await getSchema(db, id)
  const sql = `drop schema ${quoteIdent(schema.name)} ${cascade === 'true' ? 'cascade' : 'restrict'}`
  await db.query(sql)
  return schema
}
