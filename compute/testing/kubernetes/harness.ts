import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { KubeConfig } from '@kubernetes/client-node'
import { silentLog } from '#kit/log'
import { exists } from '#kit/postgres/files'
import { findProcess, processesOf, signal, waitUntil } from '#kit/postgres/processes'
import { kubernetesSql } from '#start/tenants'
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
import type { ApiServer } from './api-server.ts'
import { startCluster } from './cluster.ts'
import type { createOperator } from './operator.ts'

export type KubernetesHarness = Harness & {
  api: ApiServer
  operator: ReturnType<typeof createOperator>
  options: KubernetesOptions
}

/** A provider over a cluster of this process. */
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
  const { api, operator, instanceOf, close } = await startCluster(home, runtime)
  const { store } = api
  const options: KubernetesOptions = {
    config: async () => configOf(api.url, api.token),
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
      await close()
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
