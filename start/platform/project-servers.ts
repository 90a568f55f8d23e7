import { createKubernetesProvider } from '#compute/kubernetes/kubernetes'
import { createLocalProvider } from '#compute/local/local'
import type { Provider, VaultKeysOf } from '#compute/provider'
import { createRemoteProvider } from '#compute/remote/remote'
import type { Config } from '#kit/config'
import type { Log } from '#kit/log'
import { clusterConfig } from './cluster-config.ts'
import {
  beforeRecords,
  grantedTablesSql,
  kubernetesSql,
  newProjectSql,
  projectMigrations,
} from '../tenants.ts'

/** The servers of projects below this installation's home, run by this process. */
export const ownServers = (config: Config, vaultKeys: VaultKeysOf, log: Log): Provider =>
  createLocalProvider({
    home: config.home,
    postgresDir: config.postgresDir,
    backups: config.backups,
    migrations: projectMigrations(config.outputPlugins),
    newProjectSql: newProjectSql(),
    beforeRecords: beforeRecords(config.outputPlugins),
    grantedTablesSql: grantedTablesSql(),
    vaultKeys,
    log,
    portRange: config.databasePorts,
    reach: config.databaseNetworks.ranges,
    spares: 1,
  })

/** Clusters of an operator in Kubernetes. Nothing of its client is loaded where nobody chose it. */
function serversInCluster(config: Config, log: Log): Provider | undefined {
  const { kubernetes } = config
  if (!kubernetes) return undefined
  const { kubeconfig, image, storage, storageClass, backups, ...neighbours } = kubernetes
  return createKubernetesProvider({
    config: () => clusterConfig(kubeconfig),
    choices: { image, storage, storageClass },
    backups,
    ...neighbours,
    sql: kubernetesSql(config.outputPlugins),
    log,
  })
}

/** The same, those of the agent that the settings name, or those of a cluster. */
export function projectServers(config: Config, vaultKeys: VaultKeysOf, log: Log): Provider {
  const inCluster = serversInCluster(config, log)
  if (inCluster) return inCluster
  const { url, token } = config.compute
  if (url === undefined || token === undefined) return ownServers(config, vaultKeys, log)
  return createRemoteProvider({ url, token, vaultKeys, log })
}
