import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { root } from '#kit/root'

/*
 * The published schemas of Kubernetes' own kinds, as the official client has them: each of its models is a file that names every field,
 * its type, and whether it may be left out. They are read strictly: a field that a model does not have is a problem.
 */

const models = join(root, 'node_modules/@kubernetes/client-node/dist/gen/models')
type Field = { type: string; isRequired: boolean }
const known = new Map<string, Map<string, Field> | undefined>()

function fieldsOf(model: string): Map<string, Field> | undefined {
  if (!known.has(model)) {
    const path = join(models, `${model}.d.ts`)
    const text = existsSync(path) ? readFileSync(path, 'utf8') : undefined
    // The client puts a line before names that are words of the language, such as `from`.
    const lines = text?.matchAll(/^ {4}'_?(\$?\w+)'(\?)?: (\{[^}]*\}|.+);$/gm)
    const fields = [...(lines ?? [])].map(([, name = '', optional, type = '']): [string, Field] => [
      name,
      { type, isRequired: optional === undefined },
    ])
    known.set(model, text === undefined ? undefined : new Map(fields))
  }
  return known.get(model)
}

/** Values that the models call strings, and of which a cluster takes these alone. */
const choices: Readonly<Record<string, readonly string[]>> = {
  accessModes: ['ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod', 'ReadOnlyMany'],
  fsGroupChangePolicy: ['OnRootMismatch', 'Always'],
  imagePullPolicy: ['Always', 'IfNotPresent', 'Never'],
  policyTypes: ['Ingress', 'Egress'],
  protocol: ['TCP', 'UDP', 'SCTP'],
  whenUnsatisfiable: ['DoNotSchedule', 'ScheduleAnyway'],
}

function problemsOf(value: unknown, type: string, path: string): string[] {
  const list = /^Array<(.+)>$/.exec(type)?.[1]
  if (list !== undefined)
    return Array.isArray(value)
      ? value.flatMap((one, at) => problemsOf(one, list, `${path}[${at}]`))
      : [`${path}: must be a list`]
  const map = /^\{\s*\[key: string\]: (.+);\s*\}$/.exec(type)?.[1]
  if (map !== undefined) {
    const entries = z.record(z.string(), z.unknown()).safeParse(value)
    return entries.success
      ? Object.entries(entries.data).flatMap(([name, one]) =>
          problemsOf(one, map, `${path}.${name}`),
        )
      : [`${path}: must be an object`]
  }
  switch (type) {
    case 'string': {
      const name = path.replace(/\[\d+\]$/, '').replace(/^.*\./, '')
      if (typeof value !== 'string') return [`${path}: must be a string`]
      return choices[name]?.includes(value) === false ? [`${path}: knows no ${value}`] : []
    }
    case 'number':
    case 'boolean':
      return typeof value === type ? [] : [`${path}: must be a ${type}`]
    case 'IntOrString':
      return ['number', 'string'].includes(typeof value) ? [] : [`${path}: must be one of both`]
    default:
      return objectProblems(value, type, path)
  }
}

function objectProblems(value: unknown, model: string, path: string): string[] {
  const fields = fieldsOf(model)
  if (!fields) return [`${path}: nobody has published ${model}`]
  const object = z.record(z.string(), z.unknown()).safeParse(value)
  if (!object.success) return [`${path}: must be an object`]
  const at = (name: string) => (path === '' ? name : `${path}.${name}`)
  return [
    ...[...fields]
      .filter(([name, { isRequired }]) => isRequired && object.data[name] === undefined)
      .map(([name]) => `${at(name)}: is missing`),
    ...Object.entries(object.data).flatMap(([name, one]) => {
      const field = fields.get(name)
      return field ? problemsOf(one, field.type, at(name)) : [`${at(name)}: unknown field`]
    }),
  ]
}

/** HTTPRoute of gateway.networking.k8s.io/v1, as far as it is used here. */
const name = z.string().regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/)
const HttpRoute = z.strictObject({
  apiVersion: z.literal('gateway.networking.k8s.io/v1'),
  kind: z.literal('HTTPRoute'),
  metadata: z.strictObject({ name, namespace: name, labels: z.record(z.string(), z.string()) }),
  spec: z.strictObject({
    parentRefs: z
      .array(z.strictObject({ name, namespace: name.optional(), sectionName: name.optional() }))
      .min(1),
    hostnames: z.array(z.string().regex(/^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/)).min(1),
    rules: z.array(
      z.strictObject({
        matches: z.array(
          z.strictObject({
            path: z.strictObject({
              type: z.enum(['Exact', 'PathPrefix']),
              value: z.string().regex(/^\/(?!\/)/),
            }),
          }),
        ),
        backendRefs: z
          .array(z.strictObject({ name, port: z.number().int().min(1).max(65_535) }))
          .optional(),
      }),
    ),
  }),
})

/** Kinds of other groups than Kubernetes' own. */
const others: Readonly<Record<string, z.ZodType>> = { HTTPRoute: HttpRoute }

/** What keeps a cluster from taking this object, by the schemas that are published. */
export function manifestProblems(manifest: { kind: string; apiVersion: string }): string[] {
  const { kind } = manifest
  const other = others[kind]
  if (!other) return objectProblems(manifest, `V1${kind}`, '')
  const parsed = other.safeParse(manifest)
  return parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
}
