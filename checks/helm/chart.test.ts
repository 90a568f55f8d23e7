import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readConfig, settingNames } from '#kit/config'
import { root } from '#kit/root'
import { accessRules } from '../../compute/kubernetes/access.ts'
import { restrictedProblems } from '../../compute/testing/kubernetes/admission.ts'
import { validate } from '../../compute/testing/kubernetes/schemas.ts'
import type { Stored } from '../../compute/testing/kubernetes/store.ts'
import { digestOf } from './digest.mjs'
import { manifestProblems } from './published.ts'
import {
  chartValues,
  deploymentOf,
  renderingOf,
  renderings,
  valuesSchema,
  type Manifest,
} from './renderings.ts'

const names = renderings.map(({ name }) => name)
const planes = names.flatMap((name) =>
  (['control-plane', 'data-plane'] as const).map((plane) => ({ name, plane })),
)

test.each(renderings)('the rendering $name is of this chart and these values', ({ name, text }) => {
  expect(text).toContain(`# Digest: ${digestOf(root, name)}\n`)
})

test.each(renderings)(
  'a cluster takes each object of $name, by the published schemas',
  ({ manifests }) => {
    const problems = manifests.flatMap((manifest) => {
      if (manifest.kind !== 'Cluster') return manifestProblems(manifest)
      validate('Cluster', manifest)
      return []
    })
    expect(problems).toEqual([])
    const all = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    expect(new Set(all).size).toBe(all.length)
  },
)

test('the schemas are strict: misspelt, missing and wrong fields are found', () => {
  const [service] = renderingOf('small').filter(({ kind }) => kind === 'Service')
  const spoilt = (spec: object) => manifestProblems({ ...(service as Manifest), spec } as Manifest)
  expect(spoilt({ port: [] })).toEqual(['spec.port: unknown field'])
  expect(spoilt({ ports: [{ name: 'http' }] })).toEqual(['spec.ports[0].port: is missing'])
  expect(spoilt({ ports: [{ port: '80' }] })).toEqual(['spec.ports[0].port: must be a number'])
  expect(spoilt({ ports: [{ port: 80, protocol: 'HTTP' }] })).toEqual([
    'spec.ports[0].protocol: knows no HTTP',
  ])
})

test.each(names)('%s gives its account what the platform asks for, and nothing else', (name) => {
  const found = renderingOf(name)
  const roles = found.filter(({ kind }) => kind === 'ClusterRole')
  expect(roles.map(({ rules }) => rules)).toEqual([accessRules])
  const bindings = found.filter(({ kind }) => kind.endsWith('RoleBinding'))
  expect(bindings).toMatchObject([
    {
      roleRef: { name: roles[0]?.metadata.name },
      subjects: [{ kind: 'ServiceAccount', name: 'plinth-control-plane', namespace: 'plinth' }],
    },
  ])
  expect(deploymentOf(name, 'control-plane').pod.serviceAccountName).toBe('plinth-control-plane')
  // Functions of tenants run in the other one.
  expect(deploymentOf(name, 'data-plane').pod.automountServiceAccountToken).toBe(false)
})

test.each(planes)('a pod of $plane of $name asks for nothing it does not need', (at) => {
  const { pod, container, labels, spec } = deploymentOf(at.name, at.plane)
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', labels }, spec: pod }
  expect(restrictedProblems(object as unknown as Stored)).toEqual([])
  expect(labels).toMatchObject(spec.selector.matchLabels)
  // PLINTH_CONTROL_PLANE_PORT and its like, which a cluster adds for each service, would be read as settings.
  expect(pod.enableServiceLinks).toBe(false)
  const [, , program = ''] = container.command
  expect(
    existsSync(join(root, program.replace('dist/server', 'start').replace('.js', '.ts'))),
  ).toBe(true)
  const volumes = pod.volumes.map(({ name }) => name)
  expect(container.volumeMounts.map(({ name }) => name)).toEqual(expect.arrayContaining(volumes))
  // The program takes eight seconds at most, behind the wait.
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(5 + 8)
  for (const probe of [container.startupProbe, container.readinessProbe, container.livenessProbe])
    expect(probe).toMatchObject({
      httpGet: {
        path: at.plane === 'control-plane' ? '/platform/status' : '/health',
        port: 'http',
      },
    })
})

/** What a program reads, with something in the place of each secret. */
function environmentOf({ name, plane }: (typeof planes)[number]) {
  const secrets: Record<string, string> = {
    NATS_URL: 'nats://nats:4222',
    PLATFORM_DATABASE_URL: 'postgres://plinth@database.example.com/plinth',
    PLINTH_INTERNAL_TOKEN: 't'.repeat(32),
    PLINTH_MASTER_KEY: 'a'.repeat(64),
    PLINTH_OIDC_PROVIDERS: '[]',
    SMTP_URL: 'smtp://mail.example.com',
  }
  const { env } = deploymentOf(name, plane).container
  return Object.fromEntries(
    env.map((one): [string, string] => [one.name, one.value ?? secrets[one.name] ?? 'secret']),
  )
}

test.each(planes)('$plane of $name is given settings that it takes', (at) => {
  const environment = environmentOf(at)
  const known = [...settingNames, 'NODE_ENV', 'DATABASE_USER', 'DATABASE_PASSWORD']
  expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([])
  const config = readConfig(environment)
  expect(config).toMatchObject({
    host: '0.0.0.0',
    port: 8000,
    projectPort: 8001,
    controlPlaneUrl: 'http://plinth-control-plane:8000',
    dataPlaneUrl: 'http://plinth-data-plane:8001',
    listenPorts: undefined,
    localMailbox: false,
    pooler: { session: undefined, transaction: undefined },
    storageBucket: { bucket: 'plinth', credentials: { accessKeyId: 'secret' } },
  })
  const isControl = at.plane === 'control-plane'
  expect(config.kubernetes?.platformNamespace).toBe(isControl ? 'plinth' : undefined)
  const backups = {
    bucket: 'plinth-backups',
    endpoint: 'https://s3.example.com',
    region: 'eu-central-1',
    prefix: 'production',
    secret: 'plinth-backups',
    networks: ['198.51.100.0/24'],
    dnsNamespace: 'kube-system',
  }
  const keepsBackups = isControl && at.name === 'large'
  expect(config.kubernetes?.backups).toEqual(keepsBackups ? backups : undefined)
  // Data planes need nothing that opens every secret.
  expect([config.masterKey, config.platformDatabaseUrl].every(Boolean)).toBe(isControl)
  expect([config.masterKey, config.platformDatabaseUrl].some(Boolean)).toBe(isControl)
  const { container } = deploymentOf(at.name, at.plane)
  const written = [config.home, ...(isControl ? [] : [join(config.logs, '..')]), '/tmp']
  expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(
    expect.arrayContaining(written),
  )
})

test('who made the database is known by its certificate, and its key stays where it is', () => {
  const { container, pod } = deploymentOf('small', 'control-plane')
  const url = container.env.find(({ name }) => name === 'PLATFORM_DATABASE_URL')?.value ?? ''
  expect(url).toBe(
    'postgresql://$(DATABASE_USER):$(DATABASE_PASSWORD)@plinth-database-rw:5432/plinth?sslmode=verify-full&sslrootcert=/etc/plinth/database/ca.crt',
  )
  expect(pod.volumes).toContainEqual({
    name: 'database-authority',
    secret: { secretName: 'plinth-database-ca', items: [{ key: 'ca.crt', path: 'ca.crt' }] },
  })
  // What is put together has to stand behind what it is made of.
  const at = (name: string) => container.env.findIndex((one) => one.name === name)
  expect(at('PLATFORM_DATABASE_URL')).toBeGreaterThan(at('DATABASE_PASSWORD'))
})

test('nothing of what is internal is forwarded to anybody', () => {
  const routes = renderingOf('large').filter(({ kind }) => kind === 'HTTPRoute')
  expect(routes.map(({ spec }) => Object(spec).hostnames)).toEqual([
    ['plinth.example.com'],
    ['*.api.example.com'],
  ])
  for (const { spec } of routes) {
    const [closed, open] = Object(spec).rules as object[]
    expect(closed).toEqual({ matches: [{ path: { type: 'PathPrefix', value: '/internal' } }] })
    expect(open).toMatchObject({ matches: [{ path: { value: '/' } }], backendRefs: [{}] })
  }
  expect(renderingOf('small').some(({ kind }) => kind === 'HTTPRoute')).toBe(false)
})

test('no object carries a secret: there are references alone', () => {
  const all = renderings.flatMap(({ manifests }) => manifests)
  expect(all.filter(({ kind }) => kind === 'Secret')).toEqual([])
  const isSecret = /KEY|TOKEN|SECRET|PASSWORD|SMTP_URL|NATS_URL|OIDC/
  for (const at of planes)
    for (const { name, value } of deploymentOf(at.name, at.plane).container.env)
      if (isSecret.test(name)) expect(value, name).toBeUndefined()
})

type Schema = { type?: string; properties?: Record<string, Schema>; $ref?: string }
const Tree = z.record(z.string(), z.unknown())

/** Objects of the schema that would take names that they do not know. */
function open(schema: unknown, path = ''): string[] {
  const tree = Tree.safeParse(schema)
  if (!tree.success) return []
  const { type, additionalProperties } = tree.data
  const own = type === 'object' && additionalProperties !== false ? [path] : []
  return [
    ...own,
    ...Object.entries(tree.data).flatMap(([name, one]) => open(one, `${path}/${name}`)),
  ]
}

test('the schema of the values knows every value, and takes no other', () => {
  // Helm itself writes into this one.
  expect(open(valuesSchema)).toEqual(['/properties/global'])
  const unknown = (values: unknown, { properties }: Schema, path = ''): string[] =>
    Object.entries(Tree.safeParse(values).data ?? {}).flatMap(([name, value]) => {
      const below = properties?.[name]
      if (properties === undefined) return []
      return below ? unknown(value, below, `${path}/${name}`) : [`${path}/${name}`]
    })
  const schema = valuesSchema as Schema
  expect(unknown(chartValues, schema)).toEqual([])
  const { settings, ...others } = schema.properties ?? {}
  expect(Object.keys(others).toSorted()).toEqual(
    Object.keys(Object(chartValues))
      .concat('global')
      .filter((name) => name !== 'settings')
      .toSorted(),
  )
  const plain = Object.keys(settings?.properties ?? {})
  expect(plain.filter((name) => !settingNames.includes(name))).toEqual([])
  const given = planes.flatMap((at) => Object.keys(environmentOf(at)))
  const byChart = given.filter((name) => plain.includes(name))
  expect(new Set(byChart)).toEqual(
    new Set(['LOG_LEVEL', 'PLINTH_CUSTOM_HOSTNAME_TARGET', 'SUPPORT_EMAIL']),
  )
})
