import type { DatabaseFunction, NewFunction } from '#contract/database/database-functions'
import { sqlOf } from '#contract/ddl/change'
import {
  changeFunction,
  createFunction as creation,
  dropFunction,
  usualCost,
  usualRows,
  type FunctionSpec,
} from '#contract/ddl/functions'
import { ApiError } from '#kit/errors'
import { executeChange } from '../execute-change.ts'
import { parseSql } from '../parser.ts'
import { getFunction } from './functions.ts'
import type { Queryable } from '../queryable.ts'
import { rowsOf } from '../scope.ts'

const newest = `
  select p.oid as id from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where n.nspname = $1 and p.proname = $2 and p.xmin::text::int8 = pg_current_xact_id()::text::int8 % 4294967296
`

/** What the public metadata API has no words for. */
const unsaid = {
  kind: 'function',
  body: 'quoted',
  strict: false,
  leakproof: false,
  parallel: 'UNSAFE',
  cost: usualCost,
  rows: usualRows,
  comment: null,
} as const

/** Each of these expects a transaction around it. */
export async function createFunction(db: Queryable, given: NewFunction): Promise<DatabaseFunction> {
  const change = creation({
    ...given,
    // Each as CREATE FUNCTION takes it: a type with a name before it and a default behind it.
    args: given.args.map((type) => ({ mode: 'in', name: '', type, default_value: null })),
    ...unsaid,
  })
  const statements = await parseSql(sqlOf(change.statements))
  // What Postgres cannot read at all it refuses itself, in its own words.
  if (statements && !isOneFunction(statements))
    throw new ApiError('invalid_input', 'The arguments and return type are not valid')
  await executeChange(db, change)
  const [made] = await rowsOf<{ id: number }>(db, newest, [given.schema, given.name])
  if (!made) throw new Error('A function that was just created is missing')
  return getFunction(db, made.id)
}

function isOneFunction(statements: NonNullable<Awaited<ReturnType<typeof parseSql>>>): boolean {
  const [node] = statements
  return statements.length === 1 && node?.stmt !== undefined && 'CreateFunctionStmt' in node.stmt
}

export async function updateFunction(
  db: Queryable,
  change: {
    id: number
    name?: string | undefined
    schema?: string | undefined
    definition?: string | undefined
  },
): Promise<DatabaseFunction> {
  const found = await getFunction(db, change.id)
  const before = specOf(found)
  const { name = before.name, schema = before.schema, definition = before.definition } = change
  const made = changeFunction(before, { ...before, name, schema, definition })
  if (made) await executeChange(db, made)
  return getFunction(db, change.id)
}

export async function deleteFunction(
  db: Queryable,
  { id, cascade }: { id: number; cascade: 'true' | 'false' },
): Promise<DatabaseFunction> {
  const found = await getFunction(db, id)
  await executeChange(db, dropFunction(specOf(found), cascade === 'true'))
  return found
}

/** A window function is dropped and renamed like any other; it cannot be written anew here. */
export function specOf(found: DatabaseFunction): FunctionSpec {
  const { kind, config_params } = found
  return {
    ...found,
    kind: kind === 'procedure' ? 'procedure' : 'function',
    config_params: config_params ?? {},
  }
}
