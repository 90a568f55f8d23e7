import { randomBytes } from 'node:crypto'
import { boundsOf, memorySettings } from '../local/bounds/size.ts'
import { connectionSettings } from '../local/settings.ts'
import type { ProjectSpec } from '../provider.ts'
import { archiver, sidecarResources } from './backups/manifests.ts'
import {
  clusterApi,
  databaseName,
  labelsOf,
  namespaceOf,
  readOnlyAnnotation,
  sizeAnnotation,
  superuser,
  superuserSecretOf,
  type Bootstrap,
  type Cluster,
  type Plugin,
  type Secret,
  type Written,
} from './objects.ts'
import { networkPolicies, type Neighbours } from './policies.ts'

export type Choices = {
  /** Of PostgreSQL with the operator's program, and the extensions of projects; undefined: what the operator has. */
  image?: string | undefined
  /** Undefined: the cluster's usual one. */
  storageClass?: string | undefined
  /** Of each project's volume, such as `10Gi`. */
  storage: string
}

const megabyte = 1024 ** 2

/** As much as is asked for is what there is, so a pod is not the first to go where memory ends. */
function resourcesOf(maxConnections: number) {
  const { cores, memory } = boundsOf(maxConnections)
  const resources = {
    cpu: `${Math.ceil(cores * 1000)}m`,
    memory: `${Math.floor(memory / megabyte)}Mi`,
  }
  return { requests: resources, limits: resources }
}

/** What depends on the size of a project. */
export function sizedSpec(
  maxConnections: number,
): Pick<Cluster['spec'], 'resources' | 'postgresql'> {
  const { memory, maxCores } = boundsOf(maxConnections)
  return {
    resources: resourcesOf(maxConnections),
    postgresql: {
      parameters: {
        ...connectionSettings(maxConnections),
        ...memorySettings(maxConnections, { memoryBytes: memory, cores: maxCores }),
        password_encryption: 'scram-sha-256',
        // A failed statement is not repeated in the log: it may hold a password.
        log_min_error_statement: 'panic',
        // Queries may not fill the volume with temporary files, nor a forgotten replication slot with WAL.
        temp_file_limit: '2GB',
        max_slot_wal_keep_size: '1GB',
      },
    },
  }
}

/** Nothing runs in it that is root, asks for more than it needs or has no seccomp profile: the API server refuses such pods. */
export const namespace = (ref: string): Written => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name: namespaceOf(ref),
    labels: { ...labelsOf(ref), 'pod-security.kubernetes.io/enforce': 'restricted' },
  },
})

/**
 * Twice its size: while an instance is made or replaced, its job or the one before still counts. With backups there may also be one
 * that reads a backup back, and beside each the program that sends to the bucket.
 */
export function quota(
  ref: string,
  maxConnections: number,
  { withBackups = false } = {},
): Written & { spec: object } {
  const { cores, memory } = boundsOf(maxConnections)
  const servers = withBackups ? 3 : 2
  const beside = withBackups ? sidecarResources.bounds : { millicores: 0, megabytes: 0 }
  const millicores = Math.ceil(cores * 1000) + beside.millicores
  const megabytes = Math.floor(memory / megabyte) + beside.megabytes
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'project', namespace: namespaceOf(ref), labels: labelsOf(ref) },
    spec: {
      hard: {
        pods: String(servers * 2),
        persistentvolumeclaims: String(withBackups ? servers + 1 : servers),
        'limits.cpu': `${millicores * servers}m`,
        'limits.memory': `${megabytes * servers}Mi`,
        'services.loadbalancers': '0',
        'services.nodeports': '0',
      },
    },
  }
}

export const policies = (ref: string, neighbours: Neighbours) =>
  networkPolicies({ namespace: namespaceOf(ref), labels: labelsOf(ref) }, neighbours)

/** By which the operator gives the superuser its password, which is made here and known to nobody else. */
export const superuserSecret = (ref: string): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: superuserSecretOf(ref),
    namespace: namespaceOf(ref),
    // The operator looks at a secret again when it changes only where it is told to.
    labels: { ...labelsOf(ref), 'cnpg.io/reload': 'true' },
  },
  type: 'kubernetes.io/basic-auth',
  stringData: { username: superuser, password: randomBytes(32).toString('base64url') },
})

/** What tells apart the clusters that a project is one after the other. */
export type Incarnation = {
  name: string
  labels?: Record<string, string>
  /** The folder of the bucket that it archives to. Undefined: to none. */
  server?: string | undefined
  /** Where its data come from; a new database unless told. */
  from?: { bootstrap: Bootstrap; externalClusters: { name: string; plugin: Plugin }[] }
}

const newDatabase: Bootstrap = {
  initdb: {
    database: databaseName,
    // The operator gives an owner the password of a secret again and again, which would undo that of a person: nobody is this one.
    owner: databaseName,
    dataChecksums: true,
    encoding: 'UTF8',
    localeProvider: 'builtin',
    builtinLocale: 'C.UTF-8',
    locale: 'C',
  },
}

export const cluster = (
  { ref, limits }: Pick<ProjectSpec, 'ref' | 'limits'>,
  choices: Choices,
  { name, labels, server, from = { bootstrap: newDatabase, externalClusters: [] } }: Incarnation = {
    name: ref,
  },
): Cluster => ({
  apiVersion: clusterApi,
  kind: 'Cluster',
  metadata: {
    name,
    namespace: namespaceOf(ref),
    labels: { ...labelsOf(ref), ...labels },
    annotations: { [sizeAnnotation]: String(limits.maxConnections), [readOnlyAnnotation]: 'off' },
  },
  spec: {
    instances: 1,
    ...(choices.image !== undefined && { imageName: choices.image }),
    storage: {
      size: choices.storage,
      ...(choices.storageClass !== undefined && { storageClass: choices.storageClass }),
    },
    seccompProfile: { type: 'RuntimeDefault' },
    enableSuperuserAccess: true,
    superuserSecret: { name: superuserSecretOf(ref) },
    bootstrap: from.bootstrap,
    ...(from.externalClusters.length > 0 && { externalClusters: from.externalClusters }),
    ...(server !== undefined && { plugins: [archiver(server)] }),
    ...sizedSpec(limits.maxConnections),
  },
})
