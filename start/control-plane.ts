import { createLocalProvider } from '#compute/local/local'
import { createControlPlane } from '#control-plane/app'
import { openDatabase } from '#control-plane/database/database'
import { migrate, platformMigrations } from '#control-plane/database/store'
import { createLog } from '#kit/log'
import { createSecrets, loadMasterKey } from '#kit/secrets'
import { join } from 'node:path'
import { createMailTransport } from './mail-transport.ts'
import { createPlatformAuth } from './platform-auth.ts'
import { configOrExit, endWith, exitWith, sayReady, version } from './program.ts'
import { serveDashboard } from './dashboard.ts'
import { authSchema, projectSql } from './tenants.ts'

/** The control plane alone: dashboard, platform API, jobs. Its state is the platform database and the databases it runs. */
const config = configOrExit()
const log = createLog('control-plane', config.logLevel)
if (!config.platformDatabaseUrl) exitWith('PLATFORM_DATABASE_URL is not set')
if (!config.internalToken) exitWith('PLINTH_INTERNAL_TOKEN is not set')

const databaseConfig = { connectionString: config.platformDatabaseUrl }
const database = openDatabase(databaseConfig, log)
await migrate(database.pool, [{ name: 'auth/0001', sql: authSchema() }, ...platformMigrations()])

const compute = createLocalProvider({
  home: config.home,
  projectSql: projectSql(),
  log,
  portRange: config.databasePorts,
  spares: 1,
})
const secrets = createSecrets(loadMasterKey(join(config.home, 'master-key'), config.masterKey))
const own = config.onLoopback
  ? [`http://localhost:${config.port}`, `http://127.0.0.1:${config.port}`]
  : []
const origins = [...new Set([new URL(config.url).origin, ...own, ...config.allowedOrigins])]
const projectOrigin = new URL(config.projectUrl.replaceAll('{ref}', 'ref')).origin

const auth = createPlatformAuth({
  pool: database.pool,
  config,
  secrets,
  log,
  keepMail: (mail) => controlPlane.keepMail(mail),
})
const mail = createMailTransport({
  smtpUrl: config.smtpUrl,
  from: config.mailFrom,
  keepMail: (kept) => controlPlane.keepMail(kept),
})
const controlPlane = await createControlPlane({
  version: version(),
  database,
  databaseConfig,
  compute,
  dbVersion: '17.10',
  databaseHost: new URL(config.url).hostname,
  projectUrl: config.projectUrl,
  dataPlaneUrl: config.dataPlaneUrl,
  internalToken: config.internalToken,
  secrets,
  security: {
    allowedOrigins: origins,
    ...(config.onLoopback
      ? {
          hosts: [
            'localhost',
            '127.0.0.1',
            '[::1]',
            '::1',
            ...origins.map((o) => new URL(o).hostname),
          ],
        }
      : {}),
    connectTo: [projectOrigin.replace('//ref.', '//*.')],
    trustedProxies: config.trustedProxies,
  },
  requestsPerMinute: config.requestsPerMinute,
  localMailbox: config.localMailbox,
  mailerAutoconfirm: !config.smtpUrl,
  sendMail: mail.send,
  verifyToken: auth.verifyToken,
  log,
})
auth.mount(controlPlane.app)
serveDashboard(controlPlane.app)

endWith(async () => {
  await controlPlane.close()
  await auth.close()
  mail.close()
  await compute.close()
  await database.pool.end()
}, log)
await controlPlane.app.listen({ host: config.host, port: config.port })
void compute.prepare().catch((error: unknown) => log.error({ err: error }, 'compute is not ready'))
sayReady()
