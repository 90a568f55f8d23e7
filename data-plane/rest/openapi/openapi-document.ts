import type { CatalogColumn } from '../catalog/catalog.ts'
import type { ForeignKey, Fn, Relation, Schema } from '../catalog/schema.ts'

/** What a role may see of one schema, as the database tells. */
export type Visible = {
  description: string | null
  relations: { name: string; comment: string | null; columns: VisibleColumn[] | null }[]
  functions: { name: string; comment: string | null }[]
}
type VisibleColumn = {
  name: string
  comment: string | null
  required: boolean
  maxLength: number | null
  enum: string[] | null
}
type Json = Record<string, unknown>

const parameters = ['select', 'order', 'limit', 'offset'] as const
const ok = { '200': { description: 'OK' } }
const changed = { '204': { description: 'No Content' } }
const ref = (name: string) => ({ $ref: `#/parameters/${name}` })

/** An OpenAPI 2.0 document. */
export function openApiDocument(schema: Schema, profile: string, visible: Visible): Json {
  const paths: Record<string, Json> = { '/': { get: { tags: ['Introspection'], responses: ok } } }
  const definitions: Record<string, Json> = {}
  for (const shown of visible.relations) {
    const relation = schema.relations.get(profile)?.get(shown.name)
    if (!relation) continue
    const keys = schema.foreignKeys.filter((k) => k.schema === profile && k.relation === shown.name)
    paths[`/${shown.name}`] = relationPath(relation, shown.comment)
    definitions[shown.name] = definition(relation, keys, shown)
  }
  for (const shown of visible.functions) {
    const overloads = schema.functions.get(profile)?.get(shown.name) ?? []
    const [fn] = overloads
    if (fn) paths[`/rpc/${shown.name}`] = functionPath(fn, shown.comment)
  }
  return {
    swagger: '2.0',
    info: { title: visible.description ?? 'Data API', description: '', version: '14' },
    basePath: '/',
    consumes: ['application/json', 'text/csv'],
    produces: ['application/json', 'application/vnd.pgrst.object+json', 'text/csv'],
    paths,
    definitions,
    parameters: Object.fromEntries(
      parameters.map((name) => [name, { name, in: 'query', required: false, type: 'string' }]),
    ),
  }
}

function relationPath(relation: Relation, comment: string | null): Json {
  const about = { tags: [relation.name], ...(comment === null ? {} : { summary: comment }) }
  const filters = [...relation.columns.keys()].map((name) => ({
    name,
    in: 'query',
    required: false,
    type: 'string',
  }))
  const body = {
    name: relation.name,
    in: 'body',
    required: false,
    schema: { $ref: `#/definitions/${relation.name}` },
  }
  const path: Json = {
    get: { ...about, parameters: [...filters, ...parameters.map(ref)], responses: ok },
  }
  if (relation.insertable) {
    path['post'] = {
      ...about,
      parameters: [body],
      responses: { '201': { description: 'Created' } },
    }
  }
  if (relation.updatable) {
    path['patch'] = { ...about, parameters: [...filters, body], responses: changed }
  }
  if (relation.deletable) path['delete'] = { ...about, parameters: filters, responses: changed }
  return path
}

function definition(
  relation: Relation,
  keys: readonly ForeignKey[],
  { comment, columns }: Visible['relations'][number],
): Json {
  const shown = columns ?? []
  const properties = shown.flatMap((extra) => {
    const column = relation.columns.get(extra.name)
    return column ? [[extra.name, property(relation, column, extra, keys)] as const] : []
  })
  return {
    type: 'object',
    ...(comment === null ? {} : { description: comment }),
    required: shown.filter((column) => column.required).map((column) => column.name),
    properties: Object.fromEntries(properties),
  }
}

function property(
  relation: Relation,
  column: CatalogColumn,
  { comment, maxLength, enum: labels }: VisibleColumn,
  keys: readonly ForeignKey[],
): Json {
  const notes = comment === null ? [] : [comment]
  if (relation.primaryKey.includes(column.name)) {
    notes.push('Note:\nThis is a Primary Key.<pk/>')
  }
  const key = keys.find((k) => k.columns.length === 1 && k.columns[0] === column.name)
  if (key) {
    const target = key.target_columns[0] ?? ''
    notes.push(
      `Note:\nThis is a Foreign Key to \`${key.target}.${target}\`.<fk table='${key.target}' column='${target}'/>`,
    )
  }
  return {
    ...jsonType(column),
    format: column.type,
    ...(column.default === null ? {} : { default: column.default }),
    ...(maxLength === null ? {} : { maxLength }),
    ...(labels === null ? {} : { enum: labels }),
    ...(notes.length === 0 ? {} : { description: notes.join('\n\n') }),
  }
}

function jsonType({ base, array }: Pick<CatalogColumn, 'base' | 'array'>): Json {
  if (array) return { type: 'array', items: {} }
  switch (base) {
    case 'int2':
    case 'int4':
    case 'int8':
      return { type: 'integer' }
    case 'float4':
    case 'float8':
    case 'numeric':
      return { type: 'number' }
    case 'bool':
      return { type: 'boolean' }
    case 'json':
    case 'jsonb':
      return {}
    default:
      return { type: 'string' }
  }
}

function functionPath(fn: Fn, comment: string | null): Json {
  const properties = fn.args
    .filter((arg) => arg.name !== '')
    .map((arg) => [arg.name, { format: arg.type }] as const)
  const required = fn.args.filter((arg) => !arg.optional && arg.name !== '').map((arg) => arg.name)
  const schema = { type: 'object', required, properties: Object.fromEntries(properties) }
  const about = {
    tags: [`(rpc) ${fn.name}`],
    ...(comment === null ? {} : { summary: comment }),
    responses: ok,
  }
  const post = { ...about, parameters: [{ name: 'args', in: 'body', required: true, schema }] }
  if (fn.volatile) return { post }
  const query = properties.map(([name]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    type: 'string',
  }))
  return { get: { ...about, parameters: query }, post }
}
