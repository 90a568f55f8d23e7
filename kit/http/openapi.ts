import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint'

/** The OpenAPI 3.1 document of a list of endpoints. Internal endpoints are nobody's business and stay out. */
export function openApi(endpoints: Endpoint[], info: { title: string; version: string }) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints) {
    if (endpoint.needs === 'internal') continue
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info,
    security: [{ bearer: [] }],
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    paths,
  }
}

function operation(endpoint: Endpoint) {
  const schema = z.toJSONSchema(endpoint.input, { unrepresentable: 'any', io: 'input' })
  const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
  const properties = Object.entries(schema.properties ?? {})
  const required = new Set(schema.required)
  const inQuery = endpoint.method === 'GET' || endpoint.method === 'HEAD'
  const parameter = (name: string, value: unknown, where: 'path' | 'query') => ({
    name,
    in: where,
    required: where === 'path' || required.has(name),
    schema: value,
  })
  const rest = properties.filter(([name]) => !inPath.includes(name))
  return {
    operationId: endpoint.name,
    ...(endpoint.needs === 'anyone' ? { security: [] } : {}),
    parameters: [
      ...properties
        .filter(([name]) => inPath.includes(name))
        .map(([name, value]) => parameter(name, value, 'path')),
      ...(inQuery ? rest.map(([name, value]) => parameter(name, value, 'query')) : []),
    ],
    ...(inQuery || rest.length === 0 ? {} : { requestBody: body(rest, required) }),
    responses: {
      [endpoint.status]: {
        description: 'Success',
        content: {
          'application/json': {
            schema: z.toJSONSchema(endpoint.returns, { unrepresentable: 'any' }),
          },
        },
      },
      default: { description: 'A refusal: {message, code, requestId}' },
    },
  }
}

const body = (properties: [string, unknown][], required: Set<string>) => ({
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: Object.fromEntries(properties),
        required: properties.map(([name]) => name).filter((name) => required.has(name)),
      },
    },
  },
})
