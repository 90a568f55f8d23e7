import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  clusterLabel,
  namespaceName,
  namespaceOf,
  partOf,
  platform,
  type NetworkPolicy,
} from '../../compute/kubernetes/objects.ts'
import { policies } from '../../compute/kubernetes/manifests.ts'
import { mayConnect, type Party } from '../../compute/testing/kubernetes/network.ts'
import { deploymentOf, renderingOf } from './renderings.ts'

const ref = 'aaaaaaaaaaaaaaaaaaaa'
const apiServers = [
  { address: '10.96.0.1', port: 443 },
  { address: '192.0.2.10', port: 6443 },
]
const isPolicy = z.custom<NetworkPolicy>((value) => Object(value).kind === 'NetworkPolicy')

/** The cluster with Plinth as it was rendered, one project, and others. */
function worldOf(name: string) {
  const homes = ['plinth', 'cnpg-system', 'kube-system', 'gateway', 'nats', 'default']
  const labels = (home: string) => ({ [namespaceName]: home })
  const own = renderingOf(name).flatMap((one) => isPolicy.safeParse(one).data ?? [])
  const neighbours = { platformNamespace: 'plinth', operatorNamespace: 'cnpg-system', apiServers }
  return {
    policies: [...own, ...policies(ref, neighbours)],
    namespaces: {
      ...Object.fromEntries(homes.map((home) => [home, labels(home)])),
      [namespaceOf(ref)]: { ...labels(namespaceOf(ref)), [partOf]: platform },
    },
  }
}

const podIn = (namespace: string, address: string, labels: Record<string, string> = {}): Party => ({
  address,
  pod: { namespace, labels },
})
const at = (address: string): Party => ({ address })
const plane = (component: 'control-plane' | 'data-plane', address: string) =>
  podIn('plinth', address, deploymentOf('small', component).labels)
const parties = {
  control: plane('control-plane', '10.0.1.1'),
  data: plane('data-plane', '10.0.1.2'),
  database: podIn('plinth', '10.0.1.3', { [clusterLabel]: 'plinth-database' }),
  replica: podIn('plinth', '10.0.1.4', { [clusterLabel]: 'plinth-database' }),
  other: podIn('plinth', '10.0.1.5'),
  project: podIn(namespaceOf(ref), '10.0.2.1', { [clusterLabel]: ref }),
  operator: podIn('cnpg-system', '10.0.3.1'),
  names: podIn('kube-system', '10.0.4.1'),
  gateway: podIn('gateway', '10.0.5.1'),
  nats: podIn('nats', '10.0.6.1'),
  stranger: podIn('default', '10.0.7.1'),
  proxy: at('192.0.2.7'),
  visitor: at('198.51.100.7'),
  apiServer: at('10.96.0.1'),
  metadata: at('169.254.169.254'),
  machine: at('10.1.0.9'),
  internet: at('198.51.100.9'),
  internet6: at('2001:db8::9'),
  inner6: at('fd00::9'),
  mailServer: at('10.20.0.8'),
  databaseByUrl: at('10.20.0.5'),
} satisfies Record<string, Party>
type Name = keyof typeof parties

const both: [Name, Name, number, boolean][] = [
  ['control', 'data', 8001, true],
  ['data', 'control', 8000, true],
  ['control', 'project', 5432, true],
  ['data', 'project', 5432, true],
  ['control', 'project', 8000, false],
  ['project', 'control', 8000, false],
  ['project', 'data', 8001, false],
  ['control', 'apiServer', 443, true],
  ['data', 'apiServer', 443, false],
  ['control', 'names', 53, true],
  ['data', 'names', 53, true],
  ['control', 'internet', 443, true],
  ['data', 'internet', 443, true],
  ['data', 'internet6', 443, true],
  ['data', 'inner6', 443, false],
  ['data', 'metadata', 80, false],
  ['control', 'metadata', 80, false],
  ['data', 'machine', 10_250, false],
  ['control', 'machine', 10_250, false],
  ['data', 'stranger', 80, false],
  ['stranger', 'control', 8000, false],
  ['stranger', 'data', 8001, false],
  ['visitor', 'control', 8000, false],
  ['other', 'control', 8000, false],
  ['other', 'internet', 443, false],
  ['operator', 'control', 8000, false],
]
const small: [Name, Name, number, boolean][] = [
  ['control', 'database', 5432, true],
  ['data', 'database', 5432, false],
  ['other', 'database', 5432, false],
  ['project', 'database', 5432, false],
  ['gateway', 'database', 5432, false],
  ['database', 'replica', 5432, true],
  ['database', 'replica', 8000, true],
  ['operator', 'database', 8000, true],
  ['operator', 'database', 5432, false],
  ['database', 'apiServer', 443, true],
  ['database', 'names', 53, true],
  ['database', 'internet', 443, false],
  ['database', 'control', 8000, false],
  ['database', 'project', 5432, false],
  ['proxy', 'control', 8000, true],
  ['proxy', 'data', 8001, true],
  ['proxy', 'data', 8000, false],
  ['gateway', 'control', 8000, false],
  ['data', 'nats', 4222, false],
]
const large: [Name, Name, number, boolean][] = [
  ['gateway', 'control', 8000, true],
  ['gateway', 'data', 8001, true],
  ['proxy', 'control', 8000, false],
  ['data', 'nats', 4222, true],
  ['control', 'nats', 4222, false],
  ['data', 'nats', 8222, false],
  ['control', 'mailServer', 587, true],
  ['data', 'mailServer', 587, true],
  ['data', 'mailServer', 22, false],
  ['control', 'databaseByUrl', 5432, true],
]

test.each([
  ...[...both, ...small].map((one) => ['small', ...one] as const),
  ...[...both, ...large].map((one) => ['large', ...one] as const),
])('in %s, may %s reach %s at %i: %s', (rendering, from, to, port, may) => {
  expect(mayConnect(worldOf(rendering), parties[from], parties[to], port)).toBe(may)
})

test('without the policies all of that would be open: they are looked at, not assumed', () => {
  const open = { ...worldOf('small'), policies: [] }
  expect(mayConnect(open, parties.data, parties.metadata, 80)).toBe(true)
  expect(mayConnect(open, parties.stranger, parties.database, 5432)).toBe(true)
})
