import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint'

/** What is put in place of a field of this name, at any depth of an input. */
export type Values = Record<string, unknown>

type Schema = {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minItems?: number
  format?: string
  minLength?: number
  minimum?: number
  default?: unknown
}

/** The smallest input that an endpoint takes, made from its schema; fields named in `values` get those. */
export function sampleInput(endpoint: Endpoint, values: Values): Record<string, unknown> {
  const schema = z.toJSONSchema(endpoint.input, { unrepresentable: 'any', io: 'input' }) as Schema
  const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
  const given = Object.keys(schema.properties ?? {}).filter((name) => name in values)
  const required = new Set([...(schema.required ?? []), ...inPath, ...given])
  return Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(([name]) => required.has(name))
      .map(([name, field]) => [name, name in values ? values[name] : sample(field, values)]),
  )
}

function sample(schema: Schema, values: Values): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.default !== undefined) return schema.default
  const choice = schema.anyOf?.[0] ?? schema.oneOf?.[0] ?? schema.allOf?.[0]
  if (choice) return sample(choice, values)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object') return sampleObject(schema, values)
  if (type === 'array') {
    const { items, minItems = 1 } = schema
    return items ? Array.from({ length: minItems }, () => sample(items, values)) : []
  }
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  if (type === 'boolean') return true
  if (type === 'null') return null
  if (schema.format === 'int64') return '1'
  if (schema.format === 'uuid') return '00000000-0000-4000-8000-000000000001'
  if (schema.format === 'email') return 'someone@example.com'
  if (schema.format === 'uri') return 'https://example.com/'
  if (schema.format === 'cidrv4') return '10.0.0.0/8'
  if (schema.format === 'ipv4') return '192.0.2.1'
  if (schema.format === 'date-time') return '2026-01-01T00:00:00Z'
  return 'x'.repeat(Math.max(3, schema.minLength ?? 0))
}

const sampleObject = (schema: Schema, values: Values) =>
  Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(([name]) => schema.required?.includes(name))
      .map(([name, field]) => [name, name in values ? values[name] : sample(field, values)]),
  )

/** The request of an endpoint with this input: what is not in the path goes to the query, or to the body of a change. */
export function requestOf(endpoint: Endpoint, input: Record<string, unknown>) {
  const rest = { ...input }
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return encodeURIComponent(value.toWellFormed())
  })
  const inQuery = endpoint.method === 'GET' || endpoint.method === 'HEAD'
  const query = new URLSearchParams(
    Object.entries(inQuery ? rest : {}).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]),
  )
  return {
    method: endpoint.method,
    url: query.size > 0 ? `${path}?${query}` : path,
    ...(inQuery ? {} : { payload: rest }),
  }
}
