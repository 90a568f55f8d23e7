import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { KubeConfig } from '@kubernetes/client-node'
import { silentLog } from '#kit/log'
import { exists } from '#kit/postgres/files'
import { namedUnprivilegedUser, runsAsRoot } from '#kit/postgres/os-user'
import { findProcess, processesOf, signal, waitUntil } from '#kit/postgres/processes'
import { kubernetesSql } from '#start/tenants'
import { loadAuthority } from '../../../data-plane/postgres-gateway/tls/authority.ts'
import { accessRules } from '../../kubernetes/access.ts'
import { createKubernetesProvider, type KubernetesOptions } from '../../kubernetes/kubernetes.ts'
import {
  namespaceOf,
  platform,
  projectLabel,
  partOf,
  clusterApi,
} from '../../kubernetes/objects.ts'
import type { ProjectSql } from '../../kubernetes/database-store.ts'
import type { Harness } from '../conformance.ts'
import { makeHome } from '../home.ts'
import { startApiServer, type ApiServer } from './api-server.ts'
import { createOperator } from './operator.ts'

export type KubernetesHarness = Harness & {
  api: ApiServer
  operator: ReturnType<typeof createOperator>
  options: KubernetesOptions
}

/** Where pods of the cluster find its API server. */
export const apiServerOfPods = { address: '10.96.0.1', port: 443 }
/** An address of this machine for each server: one process of tests has its own. */
const block = 64 + (process.pid % 128)
let addresses = 0
function nextAddress(): string {
  addresses += 1
  return `127.${block}.${Math.floor(process.pid / 128) % 256}.${addresses}`
}

/** A provider over an API server of this process and an operator whose servers are real. */
export async function kubernetesHarness({
  sql = kubernetesSql(),
  deadlineMs = 60_000,
  patienceMs = 10_000,
}: {
  sql?: ProjectSql
  deadlineMs?: number
  patienceMs?: number
} = {}): Promise<KubernetesHarness> {
  const { top, home, runtime } = await makeHome()
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
  const options: KubernetesOptions = {
    config: async () => configOf(api.url, token),
    choices: { storage: '10Gi', storageClass: 'fast', image: 'registry.example.com/postgres:17' },
    platformNamespace: platform,
    operatorNamespace: 'cnpg-system',
    sql,
    log: silentLog,
    deadlineMs,
    patienceMs,
    lookMs: 1000,
  }
  let current = createKubernetesProvider(options)
  const instanceOf = (ref: string) =>
    operator.instanceOf({ name: ref, namespace: namespaceOf(ref) })
  const folders = new Map<string, string>()
  return {
    api,
    operator,
    options,
    provider: current,
    async reopen() {
      await current.close()
      current = createKubernetesProvider(options)
      await current.prepare()
      return current
    },
    async tracesOf(ref) {
      const known = instanceOf(ref)
      if (known) folders.set(ref, known.volume)
      const volume = folders.get(ref)
      const processes = volume ? await processesOf(join(volume, 'pgdata')) : []
      return [
        ...processes.map((p) => `process ${p.pid} ${p.program}`),
        ...store
          .everythingIn(namespaceOf(ref))
          .map(({ kind, metadata }) => `${kind} ${metadata.name}`),
        ...(volume && (await exists(volume)) ? [volume] : []),
      ]
    },
    async killServer(ref) {
      const server = await instanceOf(ref)?.running()
      if (!server) throw new Error(`No server runs for ${ref}`)
      signal(server.pid, 'SIGKILL')
      await waitUntil(async () => !(await findProcess(server.pid)), 5000)
    },
    async leaveHalfCreated(ref) {
      store.create({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: namespaceOf(ref), labels: { [partOf]: platform, [projectLabel]: ref } },
      })
      const metadata = { name: ref, namespace: namespaceOf(ref) }
      store.create({
        apiVersion: clusterApi,
        kind: 'Cluster',
        metadata,
        spec: {
          instances: 1,
          storage: { size: '10Gi' },
          superuserSecret: { name: `${ref}-superuser` },
        },
      })
    },
    async close() {
      await current.close()
      await operator.close()
      await api.close()
      await rm(top, { recursive: true, force: true })
      for (const folder of [runtime.clusters, runtime.sockets])
        await rm(folder, { recursive: true, force: true })
    },
  }
}

export function configOf(server: string, token: string): KubeConfig {
  const config = new KubeConfig()
  config.loadFromOptions({
    clusters: [{ name: 'test', server, skipTLSVerify: true }],
    users: [{ name: 'platform', token }],
    contexts: [{ name: 'test', cluster: 'test', user: 'platform' }],
    currentContext: 'test',
  })
  return config
}
