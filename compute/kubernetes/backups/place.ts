import type { ClusterApi } from '../api.ts'
import { ensure } from '../ensure.ts'
import type { Secret } from '../objects.ts'
import type { BucketNetwork } from '../policies.ts'
import { decoded } from '../project.ts'
import { openBucket, type Bucket, type Credentials } from './bucket.ts'
import { credentials, objectStore, type BucketPlace } from './manifests.ts'

/** Where backups go, as the settings say it. */
export type BackupSettings = BucketPlace & {
  /** The Secret with the bucket's key, in the namespace of the platform. */
  secret: string
  /** Ranges in which the bucket is, for the network policies. */
  networks: readonly string[]
  /** Where the pods of the cluster ask for names. */
  dnsNamespace: string
}

/** What the pods of projects need to reach. */
export function networkOf({ endpoint, networks, dnsNamespace }: BackupSettings): BucketNetwork {
  if (endpoint === undefined) return { networks, port: 443, dnsNamespace }
  const { protocol, hostname, port } = new URL(endpoint)
  const isAddress = /^[\d.]+$|^\[/.test(hostname)
  return {
    networks,
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
    dnsNamespace: isAddress ? undefined : dnsNamespace,
  }
}

/** The key of the bucket, which nobody keeps but the cluster. */
export async function credentialsIn(
  api: ClusterApi,
  namespace: string,
  name: string,
): Promise<Credentials> {
  const metadata = { name, namespace }
  const secret = await api.find<Secret>({ apiVersion: 'v1', kind: 'Secret', metadata })
  const accessKeyId = decoded(secret, 'access-key-id')
  const secretAccessKey = decoded(secret, 'secret-access-key')
  if (!accessKeyId || !secretAccessKey)
    throw new Error(
      `The Secret ${name} of the namespace ${namespace} lacks access-key-id or secret-access-key`,
    )
  return { accessKeyId, secretAccessKey }
}

/** The bucket as the platform comes to it. A key that was changed is seen by whoever asks next. */
export function createBackupPlace(settings: BackupSettings, platformNamespace: string) {
  let opened: { by: string; bucket: Promise<Bucket> } | undefined
  const keyOf = (api: ClusterApi) => credentialsIn(api, platformNamespace, settings.secret)
  return {
    settings,
    async bucket(api: ClusterApi): Promise<Bucket> {
      const key = await keyOf(api)
      const by = JSON.stringify(key)
      if (opened?.by !== by) {
        const before = opened
        opened = { by, bucket: openBucket(settings, key) }
        ;(await before?.bucket)?.close()
      }
      return opened.bucket
    },
    /** Gives the namespace of a project what the plugin needs there, for its own backups or those of another one. */
    async furnish(api: ClusterApi, ref: string, of = ref): Promise<void> {
      await ensure(api, credentials(ref, await keyOf(api), settings))
      await ensure(api, objectStore({ ref, of }, settings))
    },
    async close(): Promise<void> {
      ;(await opened?.bucket)?.close()
    },
  }
}
export type BackupPlace = ReturnType<typeof createBackupPlace>
