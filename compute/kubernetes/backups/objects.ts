import type { ClusterKey, Condition, Written } from '../objects.ts'

/*
 * What the Barman Cloud plugin of CloudNativePG knows, as far as it is written or read here. Field names are those of the published
 * schemas (plugin 0.16, CloudNativePG 1.30).
 */

export const barmanApi = 'barmancloud.cnpg.io/v1'
export const pluginName = 'barman-cloud.cloudnative-pg.io'
/** The plugin's own container, which it puts into the pod of each instance. */
export const sidecarName = 'plugin-barman-cloud'
/** On pods of a job, by the operator: what it is for. */
export const jobRoleLabel = 'cnpg.io/jobRole'
export const recoveryJob = 'full-recovery'

/** In the namespace of a project: where it archives to, and where the one lies that it is made from. */
export const storeNames = { own: 'backups', source: 'source' } as const
/** The key of the bucket, as the plugin reads it. */
export const credentialsName = 'backups'

/** On Clusters that are no project and never become one: a backup is read back in them. */
export const roleLabel = 'plinth/role'
export const drillRole = 'drill'
/** On the namespace: which restores were carried out, as the ends of names of clusters. */
export const restoresAnnotation = 'plinth/restores'
/** On the namespace: when the archive was kept for (`archive.ts`). */
export const archiveAnnotation = 'plinth/archive'

type KeyRef = { name: string; key: string }
export type ObjectStore = Written & {
  spec: {
    configuration: {
      destinationPath: string
      endpointURL?: string
      s3Credentials: { accessKeyId: KeyRef; secretAccessKey: KeyRef; region: KeyRef }
      wal: { compression: 'gzip' }
      data: { compression: 'gzip'; immediateCheckpoint: boolean }
    }
    instanceSidecarConfiguration: {
      resources: { requests: Record<string, string>; limits: Record<string, string> }
    }
  }
}
export type Backup = Written & {
  spec: {
    cluster: { name: string }
    method: 'plugin'
    pluginConfiguration: { name: string }
    target: 'primary'
  }
  status?: {
    phase?: string
    error?: string
    backupId?: string
    beginWal?: string
    startedAt?: string
    stoppedAt?: string
    conditions?: Condition[]
  }
}

/** Only one namespace of all has this id, so what was archived under a name before is never added to. */
export const serverOf = ({ name }: ClusterKey, namespaceUid: string): string =>
  `${name}-${namespaceUid.replaceAll('-', '').slice(0, 8)}`
