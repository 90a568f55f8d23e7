import { expect, test } from 'vitest'
import { admitPod, restrictedProblems } from '../testing/kubernetes/admission.ts'
import { mayConnect, type Party } from '../testing/kubernetes/network.ts'
import { podOf } from '../testing/kubernetes/operator-objects.ts'
import { createStore, type Stored } from '../testing/kubernetes/store.ts'
import { cluster, namespace, policies, quota } from './manifests.ts'
import { clusterLabel, namespaceName, namespaceOf, type NetworkPolicy } from './objects.ts'

const [ref, other] = ['aaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbb']
const apiServers = [
  { address: '10.96.0.1', port: 443 },
  { address: '192.0.2.10', port: 6443 },
]
const neighbours = { platformNamespace: 'plinth', operatorNamespace: 'cnpg-system', apiServers }
const spec = {
  ref,
  passwords: { postgres: 'p', service: 's', admin: 'a' },
  limits: { maxConnections: 60 },
}
const homes = [namespaceOf(ref), namespaceOf(other), 'plinth', 'cnpg-system', 'default']
const world = {
  policies: [...policies(ref, neighbours), ...policies(other, neighbours)],
  namespaces: Object.fromEntries(homes.map((name) => [name, { [namespaceName]: name }])),
}

const podIn = (home: string, address: string, labels: Record<string, string> = {}): Party => ({
  address,
  pod: { namespace: home, labels },
})
const own = podIn(namespaceOf(ref), '10.0.1.1', { [clusterLabel]: ref })
const platform = podIn('plinth', '10.0.2.1')
const operator = podIn('cnpg-system', '10.0.3.1')
const stranger = podIn(namespaceOf(other), '10.0.4.1', { [clusterLabel]: other })
const at = (address: string): Party => ({ address })

test.each<[string, Party, number]>([
  ['another project', stranger, 5432],
  ['a pod that somebody else made in its own namespace', podIn(namespaceOf(ref), '10.0.1.2'), 5432],
  ['the platform', platform, 8000],
  ["the platform's database", platform, 5432],
  ['the operator', operator, 9443],
  ['the metadata of the machine', at('169.254.169.254'), 80],
  ['a machine of the cluster', at('192.0.2.11'), 10_250],
  ['the API server at another port', at('192.0.2.10'), 2379],
  ['what is beside the API server', at('10.96.0.2'), 443],
  ['names', podIn('default', '10.0.5.1'), 53],
  ['the internet', at('198.51.100.7'), 443],
  ['the internet by IPv6', at('2001:db8::7'), 443],
])('the pod of a project does not reach %s', (_, party, port) => {
  expect(mayConnect(world, own, party, port)).toBe(false)
})

test('it reaches the API server, without which the program of the operator in it ends its server', () => {
  for (const { address, port } of apiServers)
    expect(mayConnect(world, own, at(address), port)).toBe(true)
})

test.each<[string, Party, number, boolean]>([
  ['the platform enters its database', platform, 5432, true],
  ['and asks nothing of the program of the operator', platform, 8000, false],
  ['the operator asks that', operator, 8000, true],
  ['and does not enter the database', operator, 5432, false],
  ['another project does not', stranger, 5432, false],
  ['nor a pod of the usual namespace', podIn('default', '10.0.5.1'), 5432, false],
  ['nor anybody from outside', at('198.51.100.7'), 5432, false],
])('%s', (_, party, port, may) => {
  expect(mayConnect(world, party, own, port)).toBe(may)
})

const bucket = { networks: ['198.51.100.0/24'], port: 9000, dnsNamespace: 'kube-system' }
const withBucket = (more: object = {}) => ({
  ...world,
  policies: policies(ref, { ...neighbours, bucket: { ...bucket, ...more } }),
  namespaces: { ...world.namespaces, 'kube-system': { [namespaceName]: 'kube-system' } },
})
const dns = podIn('kube-system', '10.0.6.1')

test.each<[string, Party, number, boolean]>([
  ['the bucket', at('198.51.100.7'), 9000, true],
  ['the bucket at another port', at('198.51.100.7'), 22, false],
  ['what is beside the bucket', at('198.51.101.7'), 9000, false],
  ['the name servers of the cluster', dns, 53, true],
  ['what else is with these', dns, 443, false],
  ['the metadata of the machine', at('169.254.169.254'), 80, false],
  ['another project', stranger, 5432, false],
])('with backups the pod reaches or does not reach %s', (_, party, port, may) => {
  expect(mayConnect(withBucket(), own, party, port)).toBe(may)
})

test('a bucket in the internet opens nothing of what lies inside, and one without a name no names', () => {
  const open = withBucket({ networks: ['0.0.0.0/0', '::/0'], port: 80, dnsNamespace: undefined })
  expect(mayConnect(open, own, at('203.0.113.9'), 80)).toBe(true)
  for (const address of ['169.254.169.254', '10.0.2.1', '192.168.0.1', '172.31.0.1', 'fd00::1'])
    expect(mayConnect(open, own, at(address), 80), address).toBe(false)
  expect(mayConnect(open, own, dns, 53)).toBe(false)
})

test('without its policies all of that would be open: the rules are looked at, not assumed', () => {
  const open = { ...world, policies: [] }
  expect(mayConnect(open, own, at('169.254.169.254'), 80)).toBe(true)
  const halfOpen: NetworkPolicy[] = world.policies.map((policy) => ({
    ...policy,
    spec: { ...policy.spec, policyTypes: ['Ingress'] },
  }))
  expect(mayConnect({ ...world, policies: halfOpen }, own, at('169.254.169.254'), 80)).toBe(true)
  expect(mayConnect({ ...world, policies: halfOpen }, stranger, own, 5432)).toBe(false)
})

test('an IPv6 API server is one address, too', () => {
  const [, database] = policies(ref, {
    ...neighbours,
    apiServers: [{ address: 'fd00::1', port: 443 }],
  })
  expect(database?.spec.egress?.[0]?.to).toEqual([{ ipBlock: { cidr: 'fd00::1/128' } }])
})

/** A cluster's store with the namespace of the project. */
function withHome() {
  const store = createStore()
  store.create({ ...namespace(ref), metadata: namespace(ref).metadata as { name: string } })
  const limit = quota(ref, spec.limits.maxConnections)
  store.create({ ...limit, metadata: limit.metadata as { name: string; namespace: string } })
  const home = { name: ref, namespace: namespaceOf(ref) }
  const pod = podOf(home, cluster(spec, { storage: '10Gi' }), '10.0.1.1') as Stored
  return { store, pod }
}

test('the pod of a project is no root, has no capabilities and the seccomp profile of the runtime', () => {
  const { store, pod } = withHome()
  expect(restrictedProblems(pod)).toEqual([])
  admitPod(store, pod)
})

test.each<[string, (pod: Stored) => void]>([
  [
    'runAsNonRoot',
    ({ spec: of }) => Object.assign(Object(of).securityContext, { runAsNonRoot: false }),
  ],
  ['seccompProfile', ({ spec: of }) => delete Object(of).securityContext.seccompProfile],
  ['hostNetwork', ({ spec: of }) => Object.assign(Object(of), { hostNetwork: true })],
  [
    'privileged',
    ({ spec: of }) => Object.assign(Object(of).containers[0].securityContext, { privileged: true }),
  ],
  [
    'hostPath',
    ({ spec: of }) => Object.assign(Object(of), { volumes: [{ hostPath: { path: '/' } }] }),
  ],
])('its namespace takes no pod with or without %s', (what, spoil) => {
  const { store, pod } = withHome()
  spoil(pod)
  expect(() => admitPod(store, pod)).toThrow(new RegExp(what))
})

test('a project takes no more than twice its size, so that an instance can be replaced', () => {
  const { store, pod } = withHome()
  const named = (name: string) => ({ ...pod, metadata: { ...pod.metadata, name } })
  store.create(named('one'))
  admitPod(store, named('two'))
  store.create(named('two'))
  expect(() => admitPod(store, named('three'))).toThrow('exceeded quota')
})
