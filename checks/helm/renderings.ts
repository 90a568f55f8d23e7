import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { root } from '#kit/root'
import { chart, renderedFolder, valuesFolder } from './digest.mjs'

export const readText = (path: string): string => readFileSync(join(root, path), 'utf8')

const Manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string().optional(),
    labels: z.record(z.string(), z.string()),
  }),
})
/** An object that is given to a cluster. */
export type Manifest = z.infer<typeof Manifest>

/** The renderings of the chart by the names of their values, as helm has made them. */
export const renderings: readonly { name: string; text: string; manifests: Manifest[] }[] =
  readdirSync(join(root, valuesFolder)).map((file) => {
    const text = readText(join(renderedFolder, file))
    const documents = parseAllDocuments(text).map((document): unknown => document.toJS())
    return {
      name: file.replace(/\.yaml$/, ''),
      text,
      manifests: documents.map((document) => Manifest.parse(document)),
    }
  })

export function renderingOf(name: string): Manifest[] {
  const found = renderings.find((one) => one.name === name)
  if (!found) throw new Error(`There are no values ${name}`)
  return found.manifests
}

const Pod = z.looseObject({
  serviceAccountName: z.string(),
  automountServiceAccountToken: z.boolean(),
  enableServiceLinks: z.boolean(),
  terminationGracePeriodSeconds: z.number(),
  containers: z.tuple([
    z.looseObject({
      command: z.array(z.string()),
      env: z.array(
        z.object({
          name: z.string(),
          value: z.string().optional(),
          valueFrom: z
            .object({ secretKeyRef: z.object({ name: z.string(), key: z.string() }) })
            .optional(),
        }),
      ),
      ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
      volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })),
      securityContext: z.looseObject({ readOnlyRootFilesystem: z.literal(true) }),
      startupProbe: z.unknown(),
      readinessProbe: z.unknown(),
      livenessProbe: z.unknown(),
    }),
  ]),
  volumes: z.array(z.looseObject({ name: z.string() })),
})
const Deployment = z.looseObject({
  spec: z.looseObject({
    replicas: z.number(),
    selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
    template: z.object({
      metadata: z.object({ labels: z.record(z.string(), z.string()) }),
      spec: Pod,
    }),
  }),
})

/** One of the two Deployments of a rendering. */
export function deploymentOf(name: string, component: 'control-plane' | 'data-plane') {
  const found = renderingOf(name).find(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.name === `plinth-${component}`,
  )
  const { spec } = Deployment.parse(found)
  const { labels } = spec.template.metadata
  const pod = spec.template.spec
  const [container] = pod.containers
  return { spec, labels, pod, container }
}

/** What the chart takes, as data. */
export const valuesOf = (path: string): unknown => parse(readText(path))
export const chartValues = valuesOf(join(chart, 'values.yaml'))
export const valuesSchema: unknown = JSON.parse(readText(join(chart, 'values.schema.json')))
