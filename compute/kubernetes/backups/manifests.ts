import { clusterApi, labelsOf, namespaceOf, type Plugin, type Secret } from '../objects.ts'
import {
  barmanApi,
  credentialsName,
  pluginName,
  storeNames,
  type Backup,
  type ObjectStore,
} from './objects.ts'

/** The bucket that backups of all projects lie in, each below its ref. */
export type BucketPlace = {
  bucket: string
  /** Undefined: Amazon's own. */
  endpoint?: string | undefined
  region: string
  /** In front of all keys, without a slash at its end. */
  prefix?: string | undefined
}

/** A namespace with a quota takes only pods whose containers all say what they need. */
export const sidecarResources = {
  requests: { cpu: '100m', memory: '256Mi' },
  limits: { cpu: '1000m', memory: '512Mi' },
  bounds: { millicores: 1000, megabytes: 512 },
}

export const archiver = (server: string): Plugin => ({
  name: pluginName,
  enabled: true,
  isWALArchiver: true,
  parameters: { barmanObjectName: storeNames.own, serverName: server },
})

/** The platform's key of the bucket, where the plugin of this project can read it. */
export const credentials = (
  ref: string,
  { accessKeyId, secretAccessKey }: { accessKeyId: string; secretAccessKey: string },
  { region }: BucketPlace,
): Secret => {
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: credentialsName, namespace: namespaceOf(ref), labels: labelsOf(ref) },
    type: 'Opaque',
    // As the server keeps it, so that what is there can be compared.
    data: {
      'access-key-id': encoded(accessKeyId),
      'secret-access-key': encoded(secretAccessKey),
      region: encoded(region),
    },
  }
}

/**
 * Where the plugin of the project `ref` finds the backups of the project `of`. It has no retention: the platform alone says what goes
 * and when, as it says when backups are made.
 */
export function objectStore(
  { ref, of }: { ref: string; of: string },
  { bucket, endpoint, prefix }: BucketPlace,
): ObjectStore {
  const key = (name: string) => ({ name: credentialsName, key: name })
  const path = [bucket, prefix, of].filter((part) => part !== undefined && part !== '')
  return {
    apiVersion: barmanApi,
    kind: 'ObjectStore',
    metadata: {
      name: ref === of ? storeNames.own : storeNames.source,
      namespace: namespaceOf(ref),
      labels: labelsOf(ref),
    },
    spec: {
      configuration: {
        destinationPath: `s3://${path.join('/')}`,
        ...(endpoint !== undefined && { endpointURL: endpoint }),
        s3Credentials: {
          accessKeyId: key('access-key-id'),
          secretAccessKey: key('secret-access-key'),
          region: key('region'),
        },
        wal: { compression: 'gzip' },
        data: { compression: 'gzip', immediateCheckpoint: true },
      },
      instanceSidecarConfiguration: {
        resources: { requests: sidecarResources.requests, limits: sidecarResources.limits },
      },
    },
  }
}

export const backupName = (ref: string, id: string): string => `${ref}-${id}`

/** An order to make one now. Schedules are the platform's, so there is no ScheduledBackup. */
export const backup = (ref: string, cluster: string, id: string): Backup => ({
  apiVersion: clusterApi,
  kind: 'Backup',
  metadata: { name: backupName(ref, id), namespace: namespaceOf(ref), labels: labelsOf(ref) },
  spec: {
    cluster: { name: cluster },
    method: 'plugin',
    pluginConfiguration: { name: pluginName },
    target: 'primary',
  },
})

/** From which backup, and how far what was archived after it is replayed. */
export type Source = {
  ref: string
  server: string
  backupId: string
  /** `consistent`: as little as possible. A moment: a commit after it must be archived. */
  until: 'consistent' | 'end' | Date
}

/** For a cluster of the project `ref`. */
export function recoveryFrom(ref: string, { ref: of, server, backupId, until }: Source) {
  const target =
    until === 'consistent'
      ? { targetImmediate: true }
      : until === 'end'
        ? {}
        : { targetTime: until.toISOString().replace('T', ' ').replace('Z', '+00') }
  const plugin: Plugin = {
    name: pluginName,
    enabled: true,
    isWALArchiver: false,
    parameters: {
      barmanObjectName: ref === of ? storeNames.own : storeNames.source,
      serverName: server,
    },
  }
  return {
    bootstrap: {
      recovery: { source: 'origin', recoveryTarget: { backupID: backupId, ...target } },
    },
    externalClusters: [{ name: 'origin', plugin }],
  }
}
