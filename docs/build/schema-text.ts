import type { z } from 'zod'

type Schema = z.core.JSONSchema._JSONSchema

/** Deeper than this a reader looks into the OpenAPI document. */
const deepest = 4

/** A JSON schema as a type that a reader of TypeScript knows. Not exact where that would take lines: patterns and bounds are left out. */
export function schemaText(schema: Schema | undefined, depth = 0): string {
  if (schema === undefined || schema === true) return 'unknown'
  if (schema === false) return 'never'
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return unionOf(schema.enum.map((value) => JSON.stringify(value)))
  const options = schema.anyOf ?? schema.oneOf
  if (options) return unionOf(options.map((option) => schemaText(option, depth)))
  if (schema.allOf) return schema.allOf.map((part) => schemaText(part, depth)).join(' & ')
  if (Array.isArray(schema.type)) {
    return unionOf(schema.type.map((type) => schemaText({ ...schema, type }, depth)))
  }
  switch (schema.type) {
    case 'array':
      return listOf(schema.items, depth)
    case 'object':
      return objectText(schema, depth)
    case 'integer':
      return 'number'
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return schema.type
    case undefined:
    default:
      return 'unknown'
  }
}

const unionOf = (parts: readonly string[]) => [...new Set(parts)].join(' | ')

function listOf(items: Schema | Schema[] | undefined, depth: number): string {
  if (Array.isArray(items)) return `[${items.map((item) => schemaText(item, depth)).join(', ')}]`
  const item = schemaText(items, depth)
  return /[|&] /.test(item.replace(/\{[^]*\}/, '')) ? `(${item})[]` : `${item}[]`
}

function objectText(schema: z.core.JSONSchema.BaseSchema, depth: number): string {
  const properties = Object.entries(schema.properties ?? {})
  if (properties.length === 0) {
    const { additionalProperties: rest } = schema
    return typeof rest === 'object' && Object.keys(rest).length > 0
      ? `Record<string, ${schemaText(rest, depth)}>`
      : 'object'
  }
  if (depth >= deepest) return 'object'
  const indent = '  '.repeat(depth + 1)
  const lines = properties.map(([name, value]) => {
    const mark = schema.required?.includes(name) ? '' : '?'
    const key = /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name)
    return `${indent}${key}${mark}: ${schemaText(value, depth + 1)}`
  })
  return `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`
}
