import { createLocalProvider } from '#compute/local/local'
import type { Provider, VaultKeysOf } from '#compute/provider'
import { createRemoteProvider } from '#compute/remote/remote'
import type { Config } from '#kit/config'
import type { Log } from '#kit/log'
import { beforeRecords, grantedTablesSql, newProjectSql, projectMigrations } from '../tenants.ts'

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

/** The same, or those of the agent that the settings name. */
export function projectServers(config: Config, vaultKeys: VaultKeysOf, log: Log): Provider {
  const { url, token } = config.compute
  if (url === undefined || token === undefined) return ownServers(config, vaultKeys, log)
  return createRemoteProvider({ url, token, vaultKeys, log })
}
