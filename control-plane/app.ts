import type { FastifyInstance } from 'fastify'
import { api } from '#contract/api'
import type { Endpoint } from '#contract/endpoint'
import { createApp, type Route } from '#kit/http'
import { createJobs, type Jobs } from '#kit/jobs'
import { createSubjects } from '#kit/subjects'
import { createAccessTokens } from './people/access-tokens/access-tokens.ts'
import { accessTokenStore } from './people/access-tokens/store.ts'
import { createAccess } from './access/access.ts'
import { accessStore } from './access/store.ts'
import { withoutFeatures, withoutPlatform } from './access/switched-off.ts'
import { assembleAccount } from './app-account.ts'
import { assembleAdvisors } from './app-advisors.ts'
import { assembleAssistant } from './app-assistant.ts'
import { assembleAuthConfig } from './app-auth-config.ts'
import { assembleAuthUsers } from './app-auth-users.ts'
import { assembleBilling } from './app-billing.ts'
import { withCheckedCompute } from './app-compute.ts'
import { assembleDataApi } from './app-data-api.ts'
import { assembleDiagrams } from './app-diagrams.ts'
import { assembleDisk } from './app-disk.ts'
import { assembleDatabasePassword } from './app-database-password.ts'
import { assembleFunctions } from './app-functions.ts'
import { assembleKeys } from './app-keys.ts'
import { assembleMembers } from './app-members.ts'
import { assembleOAuth, assembleRecords } from './app-organizations.ts'
import { assembleProjectHome } from './app-project-home.ts'
import { assembleProjectLife } from './app-project-life.ts'
import { assembleProjects } from './app-projects.ts'
import { startRounds } from './app-rounds.ts'
import { assembleSso } from './app-sso.ts'
import { assembleSelfHosted } from './app-self-hosted.ts'
import { assembleShell } from './app-shell.ts'
import { assembleSupport } from './app-support.ts'
import { createAudit } from './organizations/audit/audit.ts'
import { auditStore } from './organizations/audit/store.ts'
import { graphqlConsoleRoutes } from './data-api/graphql-console/routes.ts'
import { acceptJob, jobOutbox } from './operations/jobs/store.ts'
import { createLocalAdmin } from './operations/local-admin/local-admin.ts'
import { claimRoutes } from './operations/local-admin/claims.ts'
import { localAdminStore } from './operations/local-admin/store.ts'
import { mailboxRoutes } from './operations/mailbox/routes.ts'
import { mailStore } from './operations/mailbox/store.ts'
import { createNetworkRestrictions } from './projects/network-restrictions/network-restrictions.ts'
import { networkStore } from './projects/network-restrictions/store.ts'
import { withNews } from './people/notifications/news.ts'
import { notificationStore } from './people/notifications/store.ts'
import { createOrganizations } from './organizations/organizations/organizations.ts'
import { organizationRoutes } from './organizations/organizations/routes.ts'
import { organizationStore } from './organizations/organizations/store.ts'
import { createOrphans } from './operations/orphans/orphans.ts'
import { createQuarantine } from './operations/orphans/quarantine.ts'
import { orphanRoutes } from './operations/orphans/routes.ts'
import { orphanStore } from './operations/orphans/store.ts'
import { createOutgoingMail } from './operations/outgoing-mail/outgoing-mail.ts'
import type { ControlPlaneOptions } from './options.ts'
import { outgoingMailStore } from './operations/outgoing-mail/store.ts'
import { pgMetaRoutes } from './database/pg-meta/routes.ts'
import { createRunSql } from './database/pg-meta/run-sql.ts'
import { platformRoutes } from './operations/platform/routes.ts'
import { accountWorkflows } from './people/profile/removal.ts'
import { roundRoutes } from './operations/rounds/routes.ts'
import type { Arrive } from './organizations/sso/arrival.ts'
import { assembleSqlEditor } from './app-sql-editor.ts'
import { assembleStorage } from './app-storage.ts'
import { assembleTableViews } from './app-table-views.ts'
import { assembleV1 } from './app-v1.ts'

export type { ControlPlaneOptions } from './options.ts'

export type ControlPlane = {
  app: FastifyInstance
  /** What it implements, for the coverage checks. */
  routes: Route[]
  jobs: Jobs
  /** Keeps a mail in the local mailbox. */
  keepMail: ReturnType<typeof mailStore>['insert']
  /** Somebody signed in through an organization's identity provider. */
  arriveBySso: Arrive
  /** Makes the one organization and project of self-hosted mode; at every start. */
  startSelfHosted: ReturnType<typeof assembleSelfHosted>
  /** Looks now for periods that have ended and invoices that are overdue; otherwise it does every minute. */
  billingRound(): Promise<void>
  /** Looks now for backups that are due or have expired. */
  backupRound(): Promise<void>
  backupFilesRound(): Promise<void>
  /** Compares rows with the world now; otherwise it does every minute. */
  reconcile(): Promise<void>
  /** Gives servers the networks that they do not have yet; otherwise it does every minute. */
  networksRound(): Promise<void>
  /** Measures what projects take of the disk now; otherwise it does every minute. */
  diskRound(): Promise<void>
  /** Looks now at what the disk has left; otherwise it does every few seconds. */
  keepReserve(): Promise<void>
  close(): Promise<void>
}

/** Assembles the control plane. Here the features meet; none of them knows another. */
export async function createControlPlane(given: ControlPlaneOptions): Promise<ControlPlane> {
  const { options, store, looksSettled, lookRoutes } = withCheckedCompute(given)
  const { secrets, compute, log } = options
  const { db, pool } = options.database
  const record = withNews(createAudit(auditStore), notificationStore(db))
  const startJob: Jobs['start'] = (job) => jobs.start(job)
  const accessTokens = createAccessTokens(accessTokenStore(db), record)
  const oauth = assembleOAuth({ db, record, url: options.url, now: options.now })
  const localAdmins = localAdminStore(db)
  const access = createAccess({
    store: accessStore(db),
    verifyToken: options.verifyToken,
    verifyAccessToken: (token) =>
      token.startsWith('sbp_oauth_') ? oauth.verify(token) : accessTokens.verify(token),
    localAdmin: createLocalAdmin(localAdmins, options.mode ?? 'platform'),
    people: options.people,
  })
  const mails = mailStore(db)
  const sentMails = outgoingMailStore(db)
  const outgoingMail = createOutgoingMail({
    store: sentMails,
    secrets,
    acceptJob,
    send: options.sendMail,
  })
  const { each, failing } = createSubjects(log)
  const orphans = orphanStore(db)
  const quarantine = createQuarantine({
    store: orphans,
    queueMail: outgoingMail.queue,
    startJob,
    operatorEmail: options.supportEmail,
    log,
  })
  const disks = assembleDisk({ db, projects: store, record, startJob, each, options, log })
  const billing = await assembleBilling({
    db,
    each,
    record,
    startJob,
    permissionsOf: access.permissions,
    projects: store,
    settleReadOnly: disks.readOnly.settle,
    settings: options.billing,
    url: options.url,
    now: options.now,
    log,
  })
  const { admission } = billing
  const life = assembleProjectLife({
    db,
    store,
    record,
    startJob,
    admission,
    quarantine,
    isReadOnly: disks.readOnly.wanted,
    each,
    options,
    log,
  })
  const { health, reconcile, backups } = life
  const storage = assembleStorage({ db, record, startJob, options, log })
  const jobs = await createJobs({
    pool,
    handlers: {
      ...life.workflows,
      ...outgoingMail.workflows,
      ...billing.workflows,
      ...storage.workflows,
      ...accountWorkflows(options.people),
    },
    outbox: jobOutbox(db),
    each,
    log,
  })
  const keys = assembleKeys({ db, record, secrets, projects: store, can: access.can, options })
  const auth = assembleAuthConfig({ db, record, secrets, projects: store, options })
  const {
    projects,
    settings,
    connection,
    isMarkerOf,
    routes: projectRoutes,
    configs,
    adopt,
    close: closeProjects,
  } = await assembleProjects({
    db,
    options,
    store,
    record,
    startJob,
    health,
    access,
    admission,
    isClone: backups.isClone,
    keys,
    auth,
    log,
  })
  const home = assembleProjectHome({ db, options, compute, every: jobs.every, projects })
  const { queue: queueMail } = outgoingMail
  const { every } = jobs
  const { people, supportEmail, url } = options
  const support = assembleSupport({ db, queueMail, startJob, every, supportEmail })
  const membership = assembleMembers({ db, record, people, access, queueMail, startJob, url })
  const sso = assembleSso({
    db,
    record,
    gateway: options.sso,
    join: membership.members.join,
    trustedDomains: options.trustedSsoDomains ?? [],
    resolveTxt: options.resolveTxt,
    log,
  })
  const organizations = createOrganizations({
    store: organizationStore(db),
    record,
    forgetSignIn: sso.forget,
    owes: (tx, organizationId) => billing.hasUnpaid(organizationId, tx),
    ...billing.beginning,
  })
  const runSql = createRunSql(options)
  const dataApi = assembleDataApi({ db, record, runSql, settings, options, store })
  const networks = createNetworkRestrictions({
    store: networkStore(db),
    record,
    compute,
    each,
    log,
  })
  const endpoints: Endpoint[] = Object.values(api).flatMap((feature) => Object.values(feature))
  const routes = [
    ...platformRoutes({
      version: options.version,
      mode: options.mode ?? 'platform',
      mailbox: options.localMailbox,
      discussionsUrl: options.discussionsUrl,
      disabledFeatures: options.disabledFeatures ?? [],
      environment: options.environment,
      content: options.content,
      endpoints,
    }),
    ...assembleAccount({
      db,
      record,
      startJob,
      people: options.people,
      disabledFeatures: options.disabledFeatures ?? [],
      accessTokens,
      permissionsOf: access.permissions,
      endpoints,
    }),
    ...oauth.routes,
    ...assembleRecords({
      db,
      record,
      endpoints,
      documents: options.documents,
      now: options.now,
    }),
    ...organizationRoutes(organizations, ({ slug, ...page }, caller) =>
      projects.listOf(caller, slug, page),
    ),
    ...membership.routes,
    ...claimRoutes({
      store: localAdmins,
      record,
      makeOwner: membership.members.makeOwner,
      url,
    }),
    ...sso.routes,
    ...billing.routes,
    ...assembleV1({
      options,
      log,
      endpoints,
      organizations: { ...organizations, members: membership.members.list },
      projects,
      projectAddOns: billing.parts.projectAddOns,
      authConfigs: auth.configs,
      configs: { ...configs, dataApi: dataApi.get },
      networks,
      runSql,
    }),
    ...projectRoutes,
    ...disks.routes,
    ...backups.routes(projects.newProject),
    ...roundRoutes(failing),
    ...lookRoutes,
    ...orphanRoutes(
      createOrphans({
        store: orphans,
        record,
        startJob,
        destroy: compute.destroy,
        adoptProject: adopt,
        adoptBackup: backups.adopt,
        unnamed: storage.unnamed,
        removeBackup: async (ref, id) => compute.backups?.remove({ ref, id }),
      }),
    ),
    ...auth.routes,
    ...keys.routes,
    ...dataApi.routes,
    ...assembleAuthUsers(db, record, options),
    ...storage.routes,
    ...assembleSqlEditor(db),
    ...graphqlConsoleRoutes(options),
    ...assembleDiagrams(db),
    ...assembleFunctions({
      db,
      record,
      secrets,
      projects: store,
      options,
      connection,
      keysOf: keys.oldestOf,
      usageOf: home.functionUsage,
    }),
    ...assembleTableViews({ db, secrets, every: jobs.every, now: options.now }),
    ...pgMetaRoutes({
      dataPlaneUrl: options.dataPlaneUrl,
      internalToken: options.internalToken,
      can: access.can,
      isMarkerOf,
    }),
    ...assembleAssistant(db, options, access.can),
    ...home.routes,
    ...assembleAdvisors({ db, record, every: jobs.every, options, log }),
    ...assembleDatabasePassword({ db, record, secrets, projects: store, every, each, options }),
    ...mailboxRoutes(mails, options.localMailbox),
    ...support.routes,
    ...(await assembleShell({
      db,
      record,
      permissionsOf: access.permissions,
      every: jobs.every,
      log,
    })),
  ]
  const app = createApp({
    routes: withoutFeatures(
      options.mode === 'self-hosted' ? withoutPlatform(routes) : routes,
      options.disabledFeatures ?? [],
    ),
    callerOf: access.callerOf,
    internalToken: options.internalToken,
    log,
    security: options.security,
    requestsPerMinute: options.requestsPerMinute,
  })
  if (options.mode !== 'self-hosted') oauth.mount(app)

  backups.watch(jobs.every)
  storage.watchTrash(jobs.every)
  disks.watch(jobs.every)
  startRounds({
    jobs,
    reconcile,
    checkHealth: health.checkAll,
    mails,
    sentMails,
    oauth,
    billing,
    networks,
    disk: disks.disk,
  })

  return {
    app,
    routes,
    jobs,
    keepMail: mails.insert,
    billingRound: billing.round,
    backupRound: backups.round,
    backupFilesRound: backups.filesRound,
    reconcile,
    networksRound: networks.settleAll,
    diskRound: disks.disk.round,
    keepReserve: disks.keepReserve,
    arriveBySso: sso.arrive,
    startSelfHosted: assembleSelfHosted({ db, projects: store, secrets, compute, keys }),
    async close() {
      await closeProjects()
      await app.close()
      await jobs.close()
      await looksSettled()
    },
  }
}
