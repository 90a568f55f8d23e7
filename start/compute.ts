import { createAgent } from '#compute/remote/agent'
import { createLog } from '#kit/log'
import { installationIn } from '#kit/postgres/builds/installation'
import { ownServers } from './platform/project-servers.ts'
import { configOrExit, endWith, endWithParent, exitWith, sayReady } from './program.ts'

/** The agent alone: it runs the servers of projects on this machine for control planes in other processes. */
endWithParent()
const config = configOrExit()
const log = createLog('compute', config.logLevel)
const { token, port } = config.compute
if (!token) exitWith('PLINTH_COMPUTE_TOKEN is not set')
if (config.postgresDir !== undefined) {
  await installationIn(config.postgresDir).catch((error: unknown) => {
    exitWith(`PLINTH_POSTGRES_DIR: ${error instanceof Error ? error.message : String(error)}`)
  })
}
const agent = createAgent({
  open: (vaultKeys) => ownServers(config, vaultKeys, log),
  token,
  log,
})
endWith(agent.close, log)
await agent.app.listen({ host: config.host, port })
agent.prepare().catch((error: unknown) => {
  log.error({ err: error }, 'compute is not ready')
})
sayReady()
