import type { KubernetesObject, V1ObjectMeta } from '@kubernetes/client-node'

/*
 * The objects that a project is in a cluster, as far as they are written or read here. Field names are those of the published
 * schemas (CloudNativePG 1.30). Everything is derived from the project's ref, so whoever knows it finds all of it.
 */

export const clusterApi = 'postgresql.cnpg.io/v1'

/** Of the platform's own, on every object. */
export const partOf = 'app.kubernetes.io/part-of'
export const platform = 'plinth'
/** The ref of the project, on every object of it. */
export const projectLabel = 'plinth/project'
/** On the Cluster of a project that is whole; one without it is what a create that was broken off left. */
export const readyAnnotation = 'plinth/ready'
/** The size that the project has, in connections. */
export const sizeAnnotation = 'plinth/max-connections'
/** `on`: transactions are read only unless they ask for more. */
export const readOnlyAnnotation = 'plinth/read-only'

/** On the namespace: which Cluster the project is, since a restore makes another one. The one with the name of the ref unless told. */
export const clusterAnnotation = 'plinth/cluster'

/** Asks the operator to end all instances and keep their volumes. */
export const hibernationAnnotation = 'cnpg.io/hibernation'
/** Asks the operator for instances that were started since; their pods have the same value then. */
export const restartAnnotation = 'kubectl.kubernetes.io/restartedAt'
/** On pods, by the operator: whose instance it is. */
export const clusterLabel = 'cnpg.io/cluster'
/** On namespaces, by Kubernetes itself. */
export const namespaceName = 'kubernetes.io/metadata.name'

export const labelsOf = (ref: string) => ({ [partOf]: platform, [projectLabel]: ref })
export const namespaceOf = (ref: string): string => `${platform}-${ref}`
/** By which the superuser comes in. */
export const superuserSecretOf = (ref: string): string => `${ref}-superuser`
/** Written by the operator for each cluster: who signs the certificates of its servers. */
export const authoritySecretOf = (cluster: string): string => `${cluster}-ca`
/** Made by the operator for each cluster: leads to the instance that is written to. */
export const serviceOf = (cluster: string): string => `${cluster}-rw`

/** One of the clusters of a project. */
export type ClusterKey = { ref: string; name: string }

export const isRef = (name: string): boolean => /^[a-z]{20}$/.test(name)

/** The database of the project. The operator's own superuser works in `postgres`, where no customer may ever have a say. */
export const databaseName = 'plinth'
/** `postgres` is the operator's superuser, so the customer has another name. */
export const customerRole = 'plinth_customer'
export const superuser = 'postgres'

/** An object that is written: it says what it is and what it is called. */
export type Written = {
  apiVersion: string
  kind: string
  metadata: V1ObjectMeta & { name: string }
}

export type Condition = { type: string; status: string; reason?: string; message?: string }

export type Resources = { cpu: string; memory: string }

/** A program of others that the operator asks. Everything that the API server would add by itself is written. */
export type Plugin = {
  name: string
  enabled: boolean
  isWALArchiver: boolean
  parameters: Record<string, string>
}
export type Bootstrap =
  | { initdb: Record<string, unknown> }
  | {
      recovery: {
        source: string
        recoveryTarget: { backupID: string; targetImmediate?: boolean; targetTime?: string }
      }
    }

export type Cluster = Written & {
  spec: {
    instances: number
    imageName?: string
    storage: { size: string; storageClass?: string }
    resources: { requests: Resources; limits: Resources }
    seccompProfile: { type: 'RuntimeDefault' }
    enableSuperuserAccess: boolean
    superuserSecret: { name: string }
    bootstrap: Bootstrap
    externalClusters?: { name: string; plugin: Plugin }[]
    plugins?: Plugin[]
    postgresql: { parameters: Record<string, string> }
  }
  status?: {
    phase?: string
    phaseReason?: string
    readyInstances?: number
    conditions?: Condition[]
  }
}
export type Secret = Written & {
  type?: string
  stringData?: Record<string, string>
  data?: Record<string, string>
}
export type Service = KubernetesObject & {
  spec?: { clusterIP?: string; ports?: { name?: string; port: number }[] }
}
type Container = { name: string; resources?: { limits?: Partial<Resources> } }
export type Pod = KubernetesObject & {
  spec?: { containers: Container[]; initContainers?: Container[] }
  status?: {
    phase?: string
    containerStatuses?: {
      name: string
      restartCount: number
      state?: { running?: object; terminated?: object; waiting?: object }
    }[]
  }
}
export type EndpointSlice = KubernetesObject & {
  endpoints?: { addresses: string[] }[]
  ports?: { port?: number }[]
}

/** What a peer of a policy is: pods of namespaces with labels, or addresses. */
export type Peer = {
  namespaceSelector?: { matchLabels?: Record<string, string> }
  podSelector?: { matchLabels?: Record<string, string> }
  ipBlock?: { cidr: string; except?: string[] }
}
type Ports = { protocol: 'TCP' | 'UDP'; port: number }[]
export type NetworkPolicy = Written & {
  spec: {
    podSelector: { matchLabels?: Record<string, string> }
    policyTypes: ('Ingress' | 'Egress')[]
    ingress?: { from?: Peer[]; ports?: Ports }[]
    egress?: { to?: Peer[]; ports?: Ports }[]
  }
}

export const annotationOf = (object: KubernetesObject, name: string): string | undefined =>
  object.metadata?.annotations?.[name]
