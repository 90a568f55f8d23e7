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
import { openBucket, type Bucket } from '../../kubernetes/backups/bucket.ts'
import type { ProjectSql } from '../../kubernetes/database-store.ts'
import type { Harness } from '../conformance.ts'
import { makeHome } from '../home.ts'
import { startS3Store } from '../../../data-plane/testing/storage/s3-store.ts'
import type { ApiServer } from './api-server.ts'
import { startCluster } from './cluster.ts'
import type { createOperator } from './operator.ts'
import type { New } from './store.ts'

export type KubernetesHarness = Harness & {
  api: ApiServer
  operator: ReturnType<typeof createOperator>
  options: KubernetesOptions
  /** Where backups lie, with `withBackups`. */
  bucket: Bucket | undefined
}

/** A provider over a cluster of this process. */
export async function kubernetesHarness({
  sql = kubernetesSql(),
  deadlineMs = 60_000,
  patienceMs = 10_000,
  withBackups = false,
}: {
  sql?: ProjectSql
  deadlineMs?: number
  patienceMs?: number
  withBackups?: boolean
} = {}): Promise<KubernetesHarness> {
  const { top, home, runtime } = await makeHome()
  const { api, operator, instanceOf, close } = await startCluster(home, runtime)
  const { store } = api
  const s3 = withBackups ? await startS3Store() : undefined
  const bucket = s3 && (await openBucket(s3.options, s3.options.credentials))
  if (s3) store.create(keySecret(s3.options.credentials))
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
    statisticsLag: 50,
    ...(s3 && {
      backups: {
        ...s3.options,
        secret: 'backup-key',
        networks: ['127.0.0.1/32'],
        dnsNamespace: 'kube-system',
      },
    }),
  }
  let current = createKubernetesProvider(options)
  const folders = new Map<string, string>()
  return {
    api,
    operator,
    options,
    bucket,
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
        ...(bucket ? await keysIn(bucket, ref) : []),
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
      bucket?.close()
      await s3?.close()
      await rm(top, { recursive: true, force: true })
      for (const folder of [runtime.clusters, runtime.sockets])
        await rm(folder, { recursive: true, force: true })
    },
  }
}

async function keysIn(bucket: Bucket, ref: string): Promise<string[]> {
  const found: string[] = []
  for await (const { key } of bucket.list(`${ref}/`)) found.push(`object ${key}`)
  return found
}

/** The key of the bucket, as whoever runs the cluster lays it beside the platform. */
export const keySecret = (key: { accessKeyId: string; secretAccessKey: string }): New => {
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'backup-key', namespace: platform },
    data: {
      'access-key-id': encoded(key.accessKeyId),
      'secret-access-key': encoded(key.secretAccessKey),
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
