import { randomBytes } from 'node:crypto'
import { boundsOf, memorySettings } from '../local/bounds/size.ts'
import { connectionSettings } from '../local/settings.ts'
import type { ProjectSpec } from '../provider.ts'
import {
  clusterApi,
  databaseName,
  namespaceOf,
  partOf,
  platform,
  projectLabel,
  readOnlyAnnotation,
  sizeAnnotation,
  superuser,
  superuserSecretOf,
  type Cluster,
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

const labelsOf = (ref: string) => ({ [partOf]: platform, [projectLabel]: ref })
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

/** Twice its size: while an instance is made or replaced, its job or the one before still counts. */
export function quota(ref: string, maxConnections: number): Written & { spec: object } {
  const { cores, memory } = boundsOf(maxConnections)
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'project', namespace: namespaceOf(ref), labels: labelsOf(ref) },
    spec: {
      hard: {
        pods: '4',
        persistentvolumeclaims: '2',
        'limits.cpu': `${Math.ceil(cores * 1000) * 2}m`,
        'limits.memory': `${Math.floor(memory / megabyte) * 2}Mi`,
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

export const cluster = ({ ref, limits }: ProjectSpec, choices: Choices): Cluster => ({
  apiVersion: clusterApi,
  kind: 'Cluster',
  metadata: {
    name: ref,
    namespace: namespaceOf(ref),
    labels: labelsOf(ref),
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
    bootstrap: {
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
    },
    ...sizedSpec(limits.maxConnections),
  },
})
