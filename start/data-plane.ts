import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { internal } from '#contract/internal-api'
import { planes } from '#contract/operations/planes'
import { createDataPlane } from '#data-plane/app'
import { createLogFiles } from '#data-plane/logs/files/log-files'
import type { ProjectMail } from '#data-plane/mount/project-auth'
import { remoteFunctions } from '#data-plane/functions/source'
import { StorageError } from '#data-plane/storage/errors'
import { createEncryption, createOwnEncryption } from '#data-plane/postgres-gateway/tls/encryption'
import { createDirectory } from '#data-plane/projects/directory'
import { createMeter } from '#data-plane/usage/meter'
import { createLog } from '#kit/log'
import { databaseHosts } from './platform/database-hosts.ts'
import { platformAddresses } from './platform/platform-addresses.ts'
import { configOrExit, endWith, endWithParent, exitWith, sayReady } from './program.ts'
import { countsAtControlPlane } from './platform/shared-counts.ts'
import { startSigns } from './platform/signs-of-life.ts'
import { usualLogBytes } from './disk/log-bytes.ts'
import { storedBytes } from './disk/stored-bytes.ts'

/** The data plane alone: the services of every project. It holds no state; any number of them may run. */
endWithParent()
const config = configOrExit()
const log = createLog('data-plane', config.logLevel)
const { internalToken } = config
if (!internalToken) exitWith('PLINTH_INTERNAL_TOKEN is not set')

const post = (path: string, body: object): Promise<Response> =>
  fetch(`${config.controlPlaneUrl}/internal/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${internalToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  })

async function ask(path: string, body: object): Promise<Response> {
  const response = await post(path, body)
  if (!response.ok) throw new Error(`The control plane answered ${response.status} for ${path}`)
  return response
}

async function orderEmptying(ref: string, bucket: string): Promise<void> {
  const { ok, status } = await post('storage-jobs', { ref, bucket })
  if (status === 409)
    throw new StorageError('SlowDown', 'Too many buckets are being emptied; try again in a moment')
  if (!ok) throw new Error(`The control plane answered ${status} for a bucket to be emptied`)
}

const notify = async (path: string, body: object): Promise<void> => {
  await ask(path, body)
}
const keepMail = ({ ref, to, subject, text, html }: ProjectMail) =>
  notify('mails', { tenant: ref, recipient: to, subject, text, html })

const directory = createDirectory({
  controlPlaneUrl: config.controlPlaneUrl,
  token: internalToken,
  log,
})
const get = async (path: string): Promise<unknown> => {
  const response = await fetch(`${config.controlPlaneUrl}/internal/${path}`, {
    headers: { authorization: `Bearer ${internalToken}` },
    signal: AbortSignal.timeout(10_000),
  })
  if (!response.ok) throw new Error(`The control plane answered ${response.status} for ${path}`)
  return response.json()
}
const maxLogBytes = config.largestLogs ?? (await usualLogBytes(dirname(config.logs)))
const logs = createLogFiles({
  folder: config.logs,
  engine: { program: fileURLToPath(new URL('./log-engine.js', import.meta.url)) },
  limits: { maxBytes: maxLogBytes },
  log,
})
const encryption = await createEncryption({
  file: join(config.home, 'database-authority.pem'),
  hosts: databaseHosts(config),
  own: config.databaseCertificate,
  log,
}).catch((error: unknown) => {
  const reason = error instanceof Error ? error.message : String(error)
  exitWith(`Connections to databases cannot be encrypted: ${reason}`)
})
const { https } = config
const ownFiles = https?.own
const ownCertificate =
  ownFiles &&
  (await createOwnEncryption(ownFiles, { what: 'HTTPS', log }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    exitWith(`PLINTH_HTTPS_CERTIFICATE: ${reason}`)
  }))
/** Whether there are other data planes, as far as is known: it is told whenever this one says that it is there. */
let areSeveral = true
const sharedCounts = countsAtControlPlane(config.controlPlaneUrl, internalToken)
const app = createDataPlane({
  directory,
  listeners: directory,
  hostnames: directory,
  https: https && {
    ...https,
    host: config.host,
    source: directory,
    own: ownCertificate,
    dashboard:
      https.dashboard === undefined
        ? undefined
        : { hostname: https.dashboard, controlPlaneUrl: config.controlPlaneUrl, internalToken },
  },
  databasePorts: directory,
  encryption,
  pooler: { ports: config.pooler, passwordOf: directory.passwordOf },
  webhooks: { source: directory, keepNetUse: (ref, used) => notify('net', { ref, used }) },
  cron: { source: directory, keepUse: (ref, used) => notify('cron', { ref, used }) },
  internalToken,
  smtpUrl: config.smtpUrl,
  mailFrom: config.mailFrom,
  keepMail,
  sharedCounts: () => (areSeveral ? sharedCounts : undefined),
  keepKeyUses: (uses) => notify('key-uses', { uses }),
  meter: createMeter({
    folder: join(config.home, 'usage'),
    async send(report) {
      const answer = await ask('usage', report)
      return internal.usage.returns.parse(await answer.json())
    },
    log,
  }),
  keepCounts: (counts) => notify('request-counts', { counts }),
  openTimeoutMs: 5000,
  replicaLagMs: config.replicaLagMs,
  imports: { folder: join(config.home, 'imports'), maxBytes: config.largestImport },
  storage: {
    backend: storedBytes(config),
    largest: config.largestUpload,
    orderEmptying,
    keepUse: (uses) => notify('storage-use', { uses }),
  },
  functions: {
    home: config.home,
    source: remoteFunctions({
      controlPlaneUrl: config.controlPlaneUrl,
      token: internalToken,
      directory,
    }),
    network: { allowed: config.allowedNetworks, closed: platformAddresses(config) },
  },
  logs,
  logDrains: {
    source: {
      logDrains: async () => internal.logDrains.returns.parse(await get('log-drains')),
      reportLogDrains: (reports) => notify('log-drains', { reports }),
      async auditEntries(organization, from, limit) {
        const query = new URLSearchParams({ limit: String(limit) })
        if (from.after !== undefined) query.set('after', from.after)
        if (from.since !== undefined) query.set('since', String(from.since))
        const found = await get(`audit-entries/${organization}?${query}`)
        return internal.auditEntries.returns.parse(found).entries
      },
      onAnyChange: directory.onAnyChange,
    },
    spool: logs.spool,
    folder: join(dirname(config.logs), 'log-drains'),
    maxWaitingBytes: maxLogBytes / 4,
    allowed: config.drainNetworks,
  },
  metrics: async (ref) => internal.metrics.returns.parse(await get(`metrics/${ref}`)),
  projectUrl: config.projectUrl,
  trustedProxies: config.trustedProxies,
  natsUrl: config.natsUrl,
  log,
})
const signs = startSigns({
  async send(report) {
    const answer = await ask('planes', report)
    areSeveral = planes.report.returns.parse(await answer.json()).data_planes > 1
  },
  place: `${hostname()}:${config.projectPort}`,
  log,
})
endWith(async () => {
  await signs.end()
  directory.close()
  ownCertificate?.close()
  await app.close()
}, log)
await app.listen({ host: config.host, port: config.projectPort })
sayReady()
