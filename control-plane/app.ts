import type { FastifyInstance } from 'fastify'
import type { Provider } from '#compute/provider'
import { api } from '#contract/api'
import type { Endpoint } from '#contract/endpoint'
import { createApp, type Route } from '#kit/http'
import type { Security } from '#kit/http-security'
import { createJobs, type Jobs } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { Secrets } from '#kit/secrets'
import type { ClientConfig } from 'pg'
import { createAccess, type VerifiedToken } from './access/access.ts'
import { accessStore } from './access/store.ts'
import { createAudit } from './audit/audit.ts'
import { auditStore } from './audit/store.ts'
import type { openDatabase } from './database/database.ts'
import { acceptJob, jobOutbox } from './jobs/store.ts'
import { mailboxRoutes } from './mailbox/routes.ts'
import { mailStore } from './mailbox/store.ts'
import { createOrganizations } from './organizations/organizations.ts'
import { organizationRoutes } from './organizations/routes.ts'
import { organizationStore } from './organizations/store.ts'
import { createOutgoingMail, type SendMail } from './outgoing-mail/outgoing-mail.ts'
import { outgoingMailStore } from './outgoing-mail/store.ts'
import { pgMetaRoutes } from './pg-meta/routes.ts'
import { platformRoutes } from './platform/routes.ts'
import { createProfiles } from './profile/profile.ts'
import { profileRoutes } from './profile/routes.ts'
import { profileStore } from './profile/store.ts'
import { createChanges } from './projects/changes.ts'
import { createConnections } from './projects/connections.ts'
import { createHealth } from './projects/health.ts'
import { createProjects } from './projects/projects.ts'
import { createReconciler } from './projects/reconcile.ts'
import { projectRoutes } from './projects/routes.ts'
import { createSettings } from './projects/settings.ts'
import { projectStore } from './projects/store.ts'
import { projectWorkflows } from './projects/workflows.ts'
import { createSnippets } from './snippets/snippets.ts'
import { snippetRoutes } from './snippets/routes.ts'
import { snippetStore } from './snippets/store.ts'

export type ControlPlaneOptions = {
  version: string
  database: ReturnType<typeof openDatabase>
  /** For the one connection that listens; the pool can not lend it. */
  databaseConfig: ClientConfig
  compute: Provider
  dbVersion: string
  databaseHost: string
  projectUrl: string
  dataPlaneUrl: string
  internalToken: string
  secrets: Secrets
  security: Security
  requestsPerMinute: number
  localMailbox: boolean
  mailerAutoconfirm: boolean
  /** Hands one of the platform's own mails to the mail server or the mailbox. */
  sendMail: SendMail
  verifyToken: (token: string) => Promise<VerifiedToken | undefined>
  log: Log
}

export type ControlPlane = {
  app: FastifyInstance
  /** What it implements, for the coverage checks. */
  routes: Route[]
  jobs: Jobs
  /** Keeps a mail in the local mailbox. */
  keepMail: ReturnType<typeof mailStore>['insert']
  close(): Promise<void>
}

/** How long it is known that a mail was sent: a week, in milliseconds. */
const mailMemory = 7 * 24 * 3600 * 1000

const markerIdentity = (ref: string) => `connection:${ref}`

/** Assembles the control plane. Here the features meet; none of them knows another. */
export async function createControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { secrets, compute, log } = options
  const { db, pool } = options.database
  const access = createAccess({ store: accessStore(db), verifyToken: options.verifyToken })
  const record = createAudit(auditStore)
  const store = projectStore(db)
  const mails = mailStore(db)

  const health = createHealth({ store, compute, log })
  const reconcile = createReconciler({ store, compute, log })
  const sentMails = outgoingMailStore(db)
  const outgoingMail = createOutgoingMail({
    store: sentMails,
    secrets,
    acceptJob,
    send: options.sendMail,
  })
  const jobs = await createJobs({
    pool,
    handlers: {
      ...projectWorkflows({ store, compute, secrets, log }),
      ...outgoingMail.workflows,
    },
    outbox: jobOutbox(db),
    log,
  })
  const markers = new Map<string, string>()
  const shaping = {
    projectUrl: options.projectUrl,
    databaseHost: options.databaseHost,
    unknown: health.unknown,
    // One marker per project while this process lives: a new one at each answer would look like a change.
    connectionMarker: (ref: string) => {
      const marker = markers.get(ref) ?? secrets.seal(ref, markerIdentity(ref))
      markers.set(ref, marker)
      return marker
    },
  }
  const projects = createProjects({
    store,
    record,
    acceptJob,
    startJob: jobs.start,
    secrets,
    shaping,
    dbVersion: options.dbVersion,
  })
  const changes = createChanges(options.databaseConfig, log)
  await changes.open()

  const endpoints: Endpoint[] = Object.values(api).flatMap((feature) => Object.values(feature))
  const routes = [
    ...platformRoutes({ version: options.version, mailbox: options.localMailbox, endpoints }),
    ...profileRoutes(createProfiles(profileStore(db)), access.permissions),
    ...organizationRoutes(createOrganizations(organizationStore(db), record), ({ slug, ...page }) =>
      projects.listOf(slug, page),
    ),
    ...projectRoutes({
      projects,
      settings: createSettings({ store, secrets, shaping, can: access.can }),
      connection: createConnections({
        store,
        secrets,
        shaping,
        mailerAutoconfirm: options.mailerAutoconfirm,
      }),
      changes,
    }),
    ...snippetRoutes(createSnippets(snippetStore(db))),
    ...pgMetaRoutes({
      dataPlaneUrl: options.dataPlaneUrl,
      internalToken: options.internalToken,
      can: access.can,
      isMarkerOf: (marker, ref) => opens(secrets, marker, ref),
    }),
    ...mailboxRoutes(mails, options.localMailbox),
  ]
  const app = createApp({
    routes,
    callerOf: access.callerOf,
    internalToken: options.internalToken,
    log,
    security: options.security,
    requestsPerMinute: options.requestsPerMinute,
  })

  let watched = false
  jobs.every(60, 'reconcile', async () => {
    await jobs.recover()
    await reconcile()
    await mails.prune(1000)
    await sentMails.prune(new Date(Date.now() - mailMemory))
    // Only now: what a clean stop had ended is started again above, and was never ill.
    if (!watched) jobs.every(5, 'health', health.checkAll)
    watched = true
  })

  return {
    app,
    routes,
    jobs,
    keepMail: mails.insert,
    async close() {
      await changes.close()
      await app.close()
      await jobs.close()
    },
  }
}

function opens(secrets: Secrets, marker: string, ref: string): boolean {
  try {
    return secrets.open(marker, markerIdentity(ref)) === ref
  } catch {
    // Any text that does not open is not a marker; why it does not is nobody's business.
    return false
  }
}
