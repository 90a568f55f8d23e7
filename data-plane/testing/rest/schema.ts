import type { IncomingHttpHeaders } from 'node:http'
import type { CatalogColumn } from '../../rest/catalog/catalog.ts'
import { JsonScan } from '#kit/http/json-scan'
import { refused, type Body } from '../../rest/requests/body.ts'
import { readIncoming, type Incoming } from '../../rest/requests/incoming.ts'
import type { Schema } from '../../rest/catalog/schema.ts'
import { readCatalog } from '../../rest/catalog/read-catalog.ts'

const columnOf = (name: string, type: string, base = type): CatalogColumn => ({
  name,
  type,
  base,
  array: base.startsWith('_'),
  default: name === 'id' ? "nextval('books_id_seq'::regclass)" : null,
  generated: false,
  representation: null,
})

/** A small schema as the catalog query would return it. */
export const testSchema: Schema = readCatalog(
  {
    schemas: ['public'],
    relations: [
      {
        schema: 'public',
        name: 'books',
        kind: 'r',
        writable: 28,
        plain: 28,
        primary_key: ['id'],
        columns: [
          columnOf('id', 'integer', 'int4'),
          columnOf('title', 'text'),
          columnOf('data', 'jsonb'),
          columnOf('tags', 'text[]', '_text'),
          columnOf('odd "name', 'text'),
        ],
      },
      {
        schema: 'public',
        name: 'authors',
        kind: 'r',
        writable: 28,
        plain: 28,
        primary_key: ['id'],
        columns: [columnOf('id', 'integer', 'int4'), columnOf('name', 'text')],
      },
    ],
    functions: [
      {
        schema: 'public',
        name: 'add',
        args: [
          { name: 'a', type: 'integer', optional: false, variadic: false },
          { name: 'b', type: 'integer', optional: true, variadic: false },
        ],
        returns: 'scalar',
        relation: null,
        set: false,
        media: null,
        bytes: false,
        one: false,
        of: null,
        volatility: 'i',
        settings: null,
      },
    ],
    handlers: [],
    foreign_keys: [
      {
        name: 'books_author_fkey',
        schema: 'public',
        relation: 'books',
        columns: ['id'],
        target_schema: 'public',
        target: 'authors',
        target_columns: ['id'],
        unique: false,
        ends: { table: 1, columns: [1], target: 2, target_columns: [1] },
      },
    ],
    views: [],
    keys: [],
    roles: [],
  },
  1,
)

export const testSettings = {
  exposedSchemas: ['public'],
  extraSearchPath: ['extensions'],
  maxRows: 1000,
}

export function incomingOf(
  method: string,
  target: string,
  body?: string,
  headers: IncomingHttpHeaders = {},
): Incoming {
  const request = {
    method,
    target,
    headers,
    body: jsonBody(body),
  }
  return readIncoming(request, { role: 'anon', claims: '{"role":"anon"}' }, testSettings)
}

/** A body of well-formed JSON. */
function jsonBody(text = ''): Body {
  if (text === '') return { kind: 'nothing' }
  const bytes = Buffer.from(text)
  const scan = new JsonScan(bytes, { depth: 500, values: Infinity, keys: Infinity })
  try {
    scan.step(bytes.length)
  } catch (error) {
    return refused(error)
  }
  return { kind: 'json', bytes, shape: scan.shape() }
}
