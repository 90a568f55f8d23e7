import type { EntityDetail, Column } from '#contract/database/pg-meta-shapes'
import type { ApiFunction } from '#contract/projects/project-overview'
import { fieldText, jsText, jsValue, pathText, shellText, urlText } from './example-text.ts'

/** How a project is called, and with which of its keys. */
export type Access = { url: string; key: string }

/** One thing to do, in both tongues. `js` needs `client`; its answer is in `data` and `error`. */
export type Example = { id: string; title: string; about?: string; js: string; bash: string }

type Call = { method?: string; path: string; body?: unknown; prefer?: string; range?: string }

/** One request as a line of curl per part. */
export function curl({ url, key }: Access, { method, path, body, prefer, range }: Call): string {
  return [
    `curl ${method ? `-X ${method} ` : ''}${shellText(url + path)}`,
    `-H ${shellText(`apikey: ${key}`)}`,
    `-H ${shellText(`Authorization: Bearer ${key}`)}`,
    ...(range ? [`-H ${shellText(`Range: ${range}`)}`] : []),
    ...(prefer ? [`-H ${shellText(`Prefer: ${prefer}`)}`] : []),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${shellText(JSON.stringify(body))}`]),
  ].join(' \\\n  ')
}

const chain = (...calls: string[]) =>
  [`const { data, error } = await client`, ...calls.map((call) => `  ${call}`)].join('\n')

/** Asks for the rows as they are now. */
const prefer = 'return=representation'

type Relation = Pick<
  EntityDetail,
  'schema' | 'name' | 'kind' | 'columns' | 'primary_key' | 'foreign_keys'
>

/** What can be done with a table or view through the data API. Only what this one allows. */
export function tableExamples(relation: Relation, access: Access): Example[] {
  return [...readExamples(relation, access), ...writeExamples(relation, access)]
}

const target = ({ name }: Relation) => ({
  from: `.from(${jsText(pathText(name))})`,
  path: `/rest/v1/${urlText(name)}`,
})

function readExamples(relation: Relation, access: Access): Example[] {
  const { from, path } = target(relation)
  const { columns, foreign_keys: keys } = relation
  const [key] = keys
  const some = columns.slice(0, 2).map(({ name }) => fieldText(name))
  const list = some.join(',')
  const where = filterOf(relation)
  const embed = key && `*,${fieldText(key.target_table)}!${fieldText(key.name)}(*)`
  const read = (id: string, title: string, select: string, calls: string[], query: string) => ({
    id,
    title,
    js: chain(from, `.select(${jsText(select)})`, ...calls),
    bash: curl(access, { path: `${path}?select=${urlText(select)}${query}` }),
  })
  return [
    read('read', 'Read all rows', '*', [], ''),
    ...(list ? [read('columns', 'Read some columns', list, [], '')] : []),
    ...(embed ? [read('embed', 'Read rows with the rows they refer to', embed, [], '')] : []),
    {
      ...read('page', 'Read a page', '*', ['.range(0, 9)'], ''),
      bash: curl(access, { path: `${path}?select=*`, range: '0-9' }),
    },
    ...(where
      ? [
          {
            ...read('filter', 'Filter', '*', [where.js], where.query),
            about:
              'Besides eq, you can use neq, gt, gte, lt, lte, like, ilike, is, in, contains and others. Several filters are combined with AND.',
          },
        ]
      : []),
  ]
}

/** The condition that names one row, or rows by the first column where there is no key. */
function filterOf({ columns, primary_key: key }: Relation) {
  const column = columns.find(({ name }) => name === key[0]) ?? columns[0]
  if (!column) return undefined
  const value = sampleOf(column.format, column.enums)
  // An object cannot be compared with by eq, and an empty list says nothing: any row has something there, or nothing.
  const plain = typeof value !== 'object'
  return {
    column: column.name,
    js: plain
      ? `.eq(${jsText(fieldText(column.name))}, ${jsValue(value)})`
      : `.not(${jsText(fieldText(column.name))}, 'is', null)`,
    query: `&${urlText(fieldText(column.name))}=${plain ? `eq.${urlText(String(value))}` : 'not.is.null'}`,
  }
}

function writeExamples(relation: Relation, access: Access): Example[] {
  const { kind, columns, primary_key: key } = relation
  if (kind === 'materialized_view' || !columns.some(({ is_updatable }) => is_updatable)) return []
  const { from, path } = target(relation)
  const where = filterOf(relation)
  const changed = writable(columns).find(
    ({ name }) => !key.includes(name) && name !== where?.column,
  )
  const change = changed && { [changed.name]: sampleOf(changed.format, changed.enums) }
  const query = where ? `?${where.query.slice(1)}` : ''
  return [
    ...(kind === 'view' ? [] : insertExamples(relation, access)),
    ...(where && change
      ? [
          {
            id: 'update',
            title: 'Update rows',
            js: chain(from, `.update(${jsValue(change, '  ')})`, where.js, '.select()'),
            bash: curl(access, { method: 'PATCH', path: path + query, body: change, prefer }),
          },
        ]
      : []),
    ...(where
      ? [
          {
            id: 'delete',
            title: 'Delete rows',
            js: chain(from, '.delete()', where.js, '.select()'),
            bash: curl(access, { method: 'DELETE', path: path + query, prefer }),
          },
        ]
      : []),
  ]
}

/** New rows. What a view asks of them only its tables know. */
function insertExamples(relation: Relation, access: Access): Example[] {
  const { columns, primary_key: key } = relation
  const { from, path } = target(relation)
  const row = sampleRow(columns)
  const rows = [row, sampleRow(columns, 2)]
  return [
    {
      id: 'insert',
      title: 'Insert a row',
      js: chain(from, `.insert(${jsValue(row, '  ')})`, '.select()'),
      bash: curl(access, { method: 'POST', path, body: row, prefer }),
    },
    {
      id: 'insert-many',
      title: 'Insert several rows',
      js: chain(from, `.insert(${jsValue(rows, '  ')})`, '.select()'),
      bash: curl(access, { method: 'POST', path, body: rows, prefer }),
    },
    ...(key.length > 0
      ? [
          {
            id: 'upsert',
            title: 'Insert a row, or update the one with its key',
            js: chain(from, `.upsert(${jsValue(row, '  ')})`, '.select()'),
            bash: curl(access, {
              method: 'POST',
              path,
              body: row,
              prefer: `resolution=merge-duplicates,${prefer}`,
            }),
          },
        ]
      : []),
  ]
}

/** How a function is called: with what it asks for, and with everything it takes. */
export function functionExamples(
  { name, args }: Pick<ApiFunction, 'name' | 'args'>,
  access: Access,
): Example[] {
  const call = (id: string, title: string, given: ApiFunction['args']): Example => {
    const body = Object.fromEntries(given.map((arg) => [arg.name, sampleOf(arg.type)]))
    const rpc = `.rpc(${[jsText(pathText(name)), ...(given.length > 0 ? [jsValue(body, '  ')] : [])].join(', ')})`
    return {
      id,
      title,
      js: chain(rpc),
      bash: curl(access, { method: 'POST', path: `/rest/v1/rpc/${urlText(name)}`, body }),
    }
  }
  const needed = args.filter(({ optional }) => !optional)
  return [
    call('call', 'Call', needed),
    ...(needed.length < args.length ? [call('call-all', 'Call with every argument', args)] : []),
  ]
}

/** The client that every example begins with. */
export const clientExample = ({ url, key }: Access): Example => ({
  id: 'client',
  title: 'Create a client',
  js: [
    `import { createClient } from '@supabase/supabase-js'`,
    ``,
    `const client = createClient(`,
    `  ${jsText(url)},`,
    `  ${jsText(key)},`,
    `)`,
  ].join('\n'),
  bash: curl({ url, key }, { path: '/rest/v1/' }),
})

const times: Record<string, string> = {
  date: '2026-01-31',
  time: '12:30:00',
  timetz: '12:30:00+00',
  timestamp: '2026-01-31T12:30:00',
  timestamptz: '2026-01-31T12:30:00Z',
  interval: '1 day',
}

export type Sample = string | number | boolean | Record<string, string> | []

/** A value that a type takes, by the type's own name; text for whatever is not known. */
export function sampleOf(format: string, enums: readonly string[] = []): Sample {
  if (format.startsWith('_') || format.endsWith('[]')) return []
  const [first] = enums
  if (first !== undefined) return first
  switch (format) {
    case 'int2':
    case 'int4':
    case 'int8':
    case 'smallint':
    case 'integer':
    case 'bigint':
    case 'float4':
    case 'float8':
    case 'real':
    case 'double precision':
    case 'numeric':
      return 1
    case 'bool':
    case 'boolean':
      return true
    case 'json':
    case 'jsonb':
      return { key: 'value' }
    case 'uuid':
      return '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d'
    case 'bytea':
      return String.raw`\x68656c6c6f`
    case 'inet':
    case 'cidr':
      return '192.0.2.1'
    case 'timestamp with time zone':
      return '2026-01-31T12:30:00Z'
    case 'timestamp without time zone':
      return '2026-01-31T12:30:00'
    case 'char':
    case 'bpchar':
      return 'a'
    default:
      return times[format] ?? 'some text'
  }
}

type Sampled = Pick<
  Column,
  | 'name'
  | 'format'
  | 'enums'
  | 'is_generated'
  | 'identity_generation'
  | 'is_nullable'
  | 'default_value'
  | 'is_identity'
>

/** Columns that a client may give a value for. */
const writable = <C extends Sampled>(columns: readonly C[]): C[] =>
  columns.filter((column) => !column.is_generated && column.identity_generation !== 'ALWAYS')

/** A new row: what the table asks for, and at least one value. */
export function sampleRow(columns: readonly Sampled[], nth = 1): Record<string, Sample> {
  const open = writable(columns)
  const needed = open.filter(
    (column) => !column.is_nullable && column.default_value === null && !column.is_identity,
  )
  const optional = open.find((column) => column.default_value === null && !column.is_identity)
  const given = needed.length > 0 ? needed : optional ? [optional] : []
  return Object.fromEntries(
    given.map(({ name, format, enums }) => [name, nthOf(sampleOf(format, enums), format, nth)]),
  )
}

/** The nth of several samples: numbers, ids and texts differ, so that a key made of them is not there twice. */
function nthOf(sample: Sample, format: string, nth: number): Sample {
  if (nth === 1) return sample
  if (typeof sample === 'number') return sample + nth - 1
  if (format === 'uuid' && typeof sample === 'string') return sample.slice(0, -1) + String(nth)
  return sample === 'some text' ? `text ${nth}` : sample
}
