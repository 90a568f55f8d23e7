import {
  createExistingProvider,
  UnusableDatabaseError,
  type ExistingProvider,
} from '#compute/existing/existing'
import { defaultRef } from '#contract/values'
import { createControlPlane } from '#control-plane/app'
import { createVaultKeyring } from '#control-plane/integrations/vault/keyring'
import { openDatabase } from '#control-plane/platform-database/database'
import { migratePlatform } from '#control-plane/platform-database/store'
import { isInvited } from '#control-plane/organizations/members/invitation-store'
import { followEmail } from '#control-plane/people/profile/email-store'
import { listenLocally } from '#kit/network/local-socket'
import { createLog } from '#kit/log'
import { installationIn } from '#kit/postgres/builds/installation'
import { root } from '#kit/root'
import { createSafeFetch } from '#kit/network/safe-fetch'
import { createSecrets, loadMasterKey } from '#kit/secrets'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { programLogs } from './logs/folder.ts'
import { createMailTransport } from './mail-transport.ts'
import { executorOf, placeOf } from './platform/executor.ts'
import { isInFile } from './platform/given-certificate.ts'
import { projectServers } from './platform/project-servers.ts'
import { countsIn } from './platform/shared-counts.ts'
import { createPlatformAuth, signInForms } from './platform/platform-auth.ts'
import { configOrExit, endWith, endWithParent, exitWith, sayReady, version } from './program.ts'
import { serveDashboard } from './dashboard.ts'
import { serveImages } from './images/image-optimizer.ts'
import { storedBytes } from './disk/stored-bytes.ts'
import { withStoredFiles } from './disk/stored-files.ts'
import { existingSql, platformSchema, webhookSchema } from './tenants.ts'

/** The control plane alone: dashboard, platform API, jobs. Its state is the platform database and the databases it runs. */
endWithParent()
const config = configOrExit()
const log = createLog('control-plane', config.logLevel)
if (!config.platformDatabaseUrl) exitWith('PLATFORM_DATABASE_URL is not set')
if (!config.internalToken) exitWith('PLINTH_INTERNAL_TOKEN is not set')

const databaseConfig = { connectionString: config.platformDatabaseUrl }
if (config.postgresDir !== undefined) {
  await installationIn(config.postgresDir).catch((error: unknown) => {
    exitWith(`PLINTH_POSTGRES_DIR: ${error instanceof Error ? error.message : String(error)}`)
  })
}

const database = openDatabase(databaseConfig, log)
await migratePlatform(databaseConfig, platformSchema())

const secrets = createSecrets(masterKey())
function masterKey(): Buffer {
  try {
    return loadMasterKey(join(config.home, 'master-key'), config.masterKey)
  } catch (error) {
    exitWith(error instanceof Error ? error.message : String(error))
  }
}
function acmeSettings() {
  if (!config.acme) return undefined
  const { ca, ...settings } = config.acme
  try {
    return { ...settings, ca: ca && readFileSync(ca, 'utf8') }
  } catch (error) {
    exitWith(`PLINTH_ACME_CA: ${error instanceof Error ? error.message : String(error)}`)
  }
}
const { selfHosted } = config
const existing =
  selfHosted &&
  createExistingProvider({
    url: selfHosted.databaseUrl,
    ref: defaultRef,
    ...existingSql(config.outputPlugins),
    log,
  })
const compute =
  existing ??
  withStoredFiles(
    storedBytes(config),
    projectServers(config, createVaultKeyring(database.db, secrets), log),
  )
const own = config.onLoopback
  ? [`http://localhost:${config.port}`, `http://127.0.0.1:${config.port}`]
  : []
const origins = [...new Set([new URL(config.url).origin, ...own, ...config.allowedOrigins])]
const anyProject = new URL(config.projectUrl.replaceAll('{ref}', 'ref')).origin.replace(
  '//ref.',
  '//*.',
)

const auth = createPlatformAuth({
  pool: database.pool,
  config,
  secrets,
  log,
  keepMail: (mail) => controlPlane.keepMail(mail),
  onEmailChanged: followEmail,
  isInvited: (email) => isInvited(database.db, email),
  onSsoSignIn: (person) => controlPlane.arriveBySso(person),
  sharedCounts: executorOf(config) === undefined ? undefined : countsIn(database.db),
})
const mail = createMailTransport({
  smtpUrl: config.smtpUrl,
  from: config.mailFrom,
  keepMail: (kept) => controlPlane.keepMail(kept),
})
const controlPlane = await createControlPlane({
  version: version(),
  mode: config.mode,
  database,
  databaseConfig,
  compute,
  dbVersion: '17.10',
  // A port that the system chooses is known to who listens on it alone.
  poolerPorts: selfHosted
    ? undefined
    : {
        session: config.pooler.session || null,
        transaction: config.pooler.transaction || null,
      },
  databaseHost: new URL(selfHosted?.databaseUrl ?? config.url).hostname,
  url: config.url,
  documents: config.documents,
  projectUrl: config.projectUrl,
  domains: {
    ...config.domains,
    acme: acmeSettings(),
    installation: config.https && {
      hostnames: config.https.names,
      isGiven: (hostname) => isInFile(config.https?.own?.certificate, hostname),
    },
  },
  listenPorts: config.listenPorts && {
    choice: config.listenPorts,
    own: [
      { low: config.port, high: config.port, what: 'the platform' },
      { low: config.projectPort, high: config.projectPort, what: 'the platform' },
      { ...config.databasePorts, what: 'the databases of projects' },
    ],
  },
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
    connectTo: [anyProject, anyProject.replace(/^http/, 'ws')],
    trustedProxies: config.trustedProxies,
    openToForms: signInForms,
  },
  requestsPerMinute: config.requestsPerMinute,
  localMailbox: config.localMailbox,
  discussionsUrl: config.discussionsUrl,
  environment: config.environment,
  content: config.content,
  drainNetworks: config.drainNetworks,
  largestUpload: config.largestUpload,
  diskReserve: config.diskReserve,
  trashDays: config.trashDays,
  mailerAutoconfirm: !config.smtpUrl,
  supportEmail: config.supportEmail,
  sendMail: mail.send,
  verifyToken: auth.verifyToken,
  people: auth.people,
  sso: auth.sso,
  trustedSsoDomains: config.trustedSsoDomains,
  disabledFeatures: config.disabledFeatures,
  webhookSchema: webhookSchema(),
  model: config.model,
  executor: executorOf(config),
  installation: {
    place: placeOf(config),
    disk: {
      folder: config.home,
      parts: [
        { name: 'Databases', folder: join(config.home, 'clusters') },
        { name: 'Backups', folder: config.backups },
        { name: 'Stored files', folder: config.storage },
        { name: 'Logs', folder: config.logs },
      ],
    },
    logs: programLogs(config.home),
  },
  billing: config.billing,
  log,
})
auth.mount(controlPlane.app)
serveDashboard(controlPlane.app, { title: config.content.app_title, mode: config.mode })
serveImages(controlPlane.app, {
  folder: join(root, 'dist/dashboard'),
  hosts: config.imageHosts,
  cacheFolder: join(config.home, 'image-cache'),
  fetch: createSafeFetch({ largestBytes: 20 * 1024 * 1024 }),
})

let stopLocal = async () => {}
endWith(async () => {
  await stopLocal()
  await controlPlane.close()
  await auth.close()
  await mail.close()
  await compute.close()
  await database.pool.end()
}, log)
if (existing && selfHosted) await startSelfHosted(existing, selfHosted)
stopLocal = await listenLocally(controlPlane.app, config.home)
await controlPlane.app.listen({ host: config.host, port: config.port })
controlPlane.beginRounds()
void compute.prepare().catch((error: unknown) => {
  // One that was told to end while it was made ready has nothing to say of it.
  if (!(error instanceof Error && error.name === 'AbortError'))
    log.error({ err: error }, 'compute is not ready')
})
sayReady()

async function startSelfHosted(
  database: ExistingProvider,
  { adminEmail: email, projectName }: NonNullable<typeof selfHosted>,
): Promise<void> {
  try {
    const dbVersion = await database.version()
    const admin = { userId: await auth.ensureAdmin(email), email }
    await controlPlane.startSelfHosted({ admin, projectName, dbVersion })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    exitWith(
      error instanceof UnusableDatabaseError ? reason : `DATABASE_URL cannot be used: ${reason}`,
    )
  }
}
