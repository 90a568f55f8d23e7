import { join } from 'node:path'
import { namedUnprivilegedUser, runsAsRoot } from '#kit/postgres/os-user'
import type { PostgresRuntime } from '#kit/postgres/runtime'
import { loadAuthority } from '../../../data-plane/postgres-gateway/tls/authority.ts'
import { accessRules } from '../../kubernetes/access.ts'
import { clusterAnnotation, namespaceOf, platform } from '../../kubernetes/objects.ts'
import { startApiServer } from './api-server.ts'
import { createOperator } from './operator.ts'

/** Where pods of the cluster find its API server. */
export const apiServerOfPods = { address: '10.96.0.1', port: 443 }
/** An address of this machine for each server: one process of tests has its own. */
const block = 64 + (process.pid % 128)
let addresses = 0
function nextAddress(): string {
  addresses = (addresses % 250) + 1
  return `127.${block}.${Math.floor(process.pid / 128) % 256}.${addresses}`
}

/** A cluster as the platform finds it: an API server of this process, and an operator whose servers are real, below `home`. */
export async function startCluster(home: string, runtime: PostgresRuntime) {
  const token = 'of-the-platform'
  const api = await startApiServer({ rules: accessRules, token })
  const { store } = api
  for (const name of ['default', platform, 'cnpg-system'])
    store.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  store.create({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'kubernetes', namespace: 'default' },
    spec: { clusterIP: apiServerOfPods.address, ports: [{ name: 'https', port: 443 }] },
  })
  store.create({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: 'kubernetes',
      namespace: 'default',
      labels: { 'kubernetes.io/service-name': 'kubernetes' },
    },
    endpoints: [{ addresses: ['192.0.2.10'] }],
    ports: [{ name: 'https', port: 6443 }],
  })
  const operator = createOperator({
    store,
    runtime,
    user: runsAsRoot() ? await namedUnprivilegedUser() : undefined,
    authority: await loadAuthority(join(home, 'authority.pem')),
    apiServer: apiServerOfPods,
    nextAddress,
  })
  api.podLogs.from((pod) => operator.written(pod))
  return {
    api,
    operator,
    /** Of the cluster that the project is now. */
    instanceOf(ref: string) {
      const home = store.find('Namespace', undefined, namespaceOf(ref))
      const name = home?.metadata.annotations?.[clusterAnnotation] ?? ref
      return operator.instanceOf({ name, namespace: namespaceOf(ref) })
    },
    async close(): Promise<void> {
      await operator.close()
      await api.close()
    },
  }
}
