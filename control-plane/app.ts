import type { FastifyInstance } from 'fastify'
import { checkedProvider } from '#compute/checked'
import { createApp, type Route } from '#kit/http'
import { alone, createJobs, type Jobs } from '#kit/jobs'
import { createAccess } from './access/access.ts'
import { accessStore } from './access/store.ts'
import { withoutFeatures, withoutPlatform } from './access/switched-off.ts'
import { authOauthClientsFeature } from './auth/auth-oauth-clients/feature.ts'
import { authUsersFeature } from './auth/auth-users/feature.ts'
import { graphqlConsoleFeature } from './data-api/graphql-console/feature.ts'
import { diagramsFeature } from './database/diagrams/feature.ts'
import { snippetsFeature } from './database/snippets/feature.ts'
import { sqlHistoryFeature } from './database/sql-history/feature.ts'
import { tableViewsFeature } from './database/table-views/feature.ts'
import { cronFeature } from './integrations/cron/feature.ts'
import { linkFeatures } from './links.ts'
import { bannersFeature } from './operations/banners/feature.ts'
import { jobOutbox } from './operations/jobs/store.ts'
import { localAdminFeature } from './operations/local-admin/feature.ts'
import { mailboxFeature } from './operations/mailbox/feature.ts'
import { operatorsFeature } from './operations/operators/feature.ts'
import { platformFeature } from './operations/platform/feature.ts'
import { extensionUseFeature } from './operations/extension-use/feature.ts'
import { roleLooksFeature } from './operations/role-looks/feature.ts'
import { createLeadership } from './operations/leases/leadership.ts'
import { leaseStore } from './operations/leases/lease-store.ts'
import { rateCountsFeature } from './operations/rate-counts/feature.ts'
import { roundsFeature } from './operations/rounds/feature.ts'
import type { ControlPlaneOptions } from './options.ts'
import { createAudit } from './organizations/audit/audit.ts'
import { auditFeature } from './organizations/audit/feature.ts'
import { auditStore } from './organizations/audit/store.ts'
import { documentsFeature } from './organizations/documents/feature.ts'
import { oauthAppsFeature } from './organizations/oauth-apps/feature.ts'
import { accessTokensFeature } from './people/access-tokens/feature.ts'
import { accountAuditFeature } from './people/account-audit/feature.ts'
import { notificationsFeature } from './people/notifications/feature.ts'
import { withNews } from './people/notifications/news.ts'
import { notificationStore } from './people/notifications/store.ts'
import { createPlatformBase, type Feature, type Platform, type Round } from './platform.ts'
import { favoritesFeature } from './projects/favorites/feature.ts'
import { serviceRestartsFeature } from './projects/service-restarts/feature.ts'
import { createLooks } from './projects/inactivity/looks.ts'
import { inactivityStore } from './projects/inactivity/store.ts'
import { createOwnSecrets } from './projects/projects/own-secrets.ts'
import { projectStore } from './projects/projects/store.ts'

export type { ControlPlaneOptions } from './options.ts'

export type ControlPlane = {
  app: FastifyInstance
  /** What it implements, for the coverage checks. */
  routes: Route[]
  jobs: Jobs
  /** All that is done again and again by itself; tests that let time pass do it when they want it. */
  rounds: readonly Round[]
  /** From now on they come by themselves, each its own: one that fails, or takes long, holds up no other. */
  beginRounds(): void
  /** Keeps a mail in the local mailbox. */
  keepMail: ReturnType<typeof mailboxFeature>['keep']
  /** Somebody signed in through an organization's identity provider. */
  arriveBySso: Linked['sso']['arrive']
  /** Makes the one organization and project of self-hosted mode; at every start. */
  startSelfHosted: Linked['selfHosted']['start']
  /** Looks now for periods that have ended and invoices that are overdue; otherwise it does every minute. */
  billingRound(): Promise<void>
  /** Compares now what organizations use with their plans; otherwise it does every five minutes. */
  quotasRound(): Promise<void>
  /** Looks now for projects that nobody uses; otherwise it does every quarter of an hour. */
  inactivityRound(): Promise<void>
  /** Looks now for branches that nobody uses; otherwise it does every five minutes. */
  idleBranchesRound(): Promise<void>
  dryRunRound(): Promise<void>
  /** Gives servers whose change of size was broken off the size of their row; otherwise it does every minute. */
  settleSizes(): Promise<void>
  upgradesRound(): Promise<void>
  settleUpgrades(): Promise<void>
  /** Makes read replicas anew that are to be, and drops those that nobody may have any more. */
  mendReplicas(): Promise<void>
  /** Looks now for backups that are due or have expired. */
  backupRound(): Promise<void>
  backupFilesRound(): Promise<void>
  /** Compares rows with the world now; otherwise it does every minute. */
  reconcile(): Promise<void>
  /** Gives servers the networks that they do not have yet; otherwise it does every minute. */
  networksRound(): Promise<void>
  /** Measures what projects take of the disk now; otherwise it does every minute. */
  diskRound(): Promise<void>
  /** Removes logs that plans do not keep any more; otherwise it does every hour. */
  logsRound(): Promise<void>
  /** Tells people of log drains that do not work; otherwise it does every minute. */
  drainNotices(): Promise<void>
  /** Puts what services have counted together to hours and days now; otherwise it does every 15 seconds. */
  usageRound(): Promise<void>
  /** Measures what servers use now; otherwise it does every minute. */
  sampleRound(): Promise<void>
  /** Looks now at what the disk has left; otherwise it does every few seconds. */
  keepReserve(): Promise<void>
  /** Finishes rotations of keys, and lets go of keys that nothing needs; otherwise it does every hour. */
  vaultRound(): Promise<void>
  /** Looks at the records of custom hostnames whose last look is a while ago. */
  domainsRound(): Promise<void>
  /** Orders certificates of custom hostnames that are due; otherwise it does every 10 seconds. */
  certificatesRound(): Promise<void>
  /** Removes deleted projects for good whose time in the trash is over; otherwise it does every minute. */
  trashRound(): Promise<void>
  /** Says now that this control plane is there; otherwise it does every 15 seconds. */
  signOfLife(): Promise<void>
  /** Compares now what is so with the alerts that are open; otherwise it does every minute. */
  evaluateAlerts(): Promise<void>
  /** Sends now what is due to the webhook; otherwise it does every 10 seconds. */
  deliverAlerts(): Promise<void>
  close(): Promise<void>
}
type Linked = Awaited<ReturnType<typeof linkFeatures>>

/** Assembles the control plane: what every feature is built on, who may enter, the features, and what runs all of them. */
export async function createControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { database, secrets, log, disabledFeatures = [] } = options
  const { db, pool } = database
  const projects = projectStore(db)
  const ownSecrets = createOwnSecrets({ projects, secrets, databaseHost: options.databaseHost })
  const looks = roleLooksFeature(db)
  const checked = checkedProvider(options.compute, ownSecrets.adminPasswordOf, log, looks.keep)
  const executor = options.executor ?? alone
  const leadership = createLeadership({
    store: leaseStore(db),
    executor,
    log,
    times: options.leaseTimes,
  })
  const base = createPlatformBase({
    leads: leadership.leads,
    options,
    compute: checked.provider,
    projects,
    record: withNews(createAudit(auditStore), notificationStore(db)),
    startJob: (job) => jobs.start(job),
  })

  const accessTokens = accessTokensFeature(base)
  const oauthApps = oauthAppsFeature(base)
  const operators = operatorsFeature(base)
  const localAdmin = localAdminFeature(base, {
    beFirstOperator: operators.beFirst,
    makeOwner: (...who) => linked.members.members.makeOwner(...who),
  })
  const access = createAccess({
    store: accessStore(db),
    verifyToken: options.verifyToken,
    verifyAccessToken: (token) =>
      token.startsWith('sbp_oauth_') ? oauthApps.verify(token) : accessTokens.verify(token),
    localAdmin: localAdmin.localAdmin,
    people: options.people,
    onLook: createLooks({ store: inactivityStore(db), now: base.now, log }),
  })

  const platform: Platform = { ...base, access }
  const linked = await linkFeatures(platform, { ownSecrets, operators })
  const mailbox = mailboxFeature(platform)
  const features: Feature[] = [
    platformFeature(platform),
    accessTokens,
    oauthApps,
    localAdmin,
    operators,
    looks,
    mailbox,
    ...linked.features,
    accountAuditFeature(platform),
    cronFeature(platform),
    extensionUseFeature(platform),
    favoritesFeature(platform),
    serviceRestartsFeature(platform),
    notificationsFeature(platform),
    auditFeature(platform),
    documentsFeature(platform),
    authUsersFeature(platform),
    authOauthClientsFeature(platform),
    graphqlConsoleFeature(platform),
    diagramsFeature(platform),
    snippetsFeature(platform),
    sqlHistoryFeature(platform),
    tableViewsFeature(platform),
    bannersFeature(platform),
    roundsFeature(platform),
    rateCountsFeature(platform),
  ]

  const jobs = await createJobs({
    pool,
    handlers: Object.assign({}, ...features.map(({ workflows }) => workflows)),
    outbox: jobOutbox(db),
    each: base.each,
    log,
    executor,
  })
  await leadership.begin()
  const routes = features.flatMap((feature) => feature.routes ?? [])
  const isSelfHosted = options.mode === 'self-hosted'
  const app = createApp({
    routes: withoutFeatures(isSelfHosted ? withoutPlatform(routes) : routes, disabledFeatures),
    callerOf: access.callerOf,
    internalToken: options.internalToken,
    log,
    security: options.security,
    requestsPerMinute: options.requestsPerMinute,
  })
  if (!isSelfHosted) oauthApps.mount(app)
  const rounds: Round[] = [
    { seconds: 60, name: 'jobs to take up', run: () => jobs.recover() },
    {
      seconds: executor === alone ? 3600 : 5,
      name: 'jobs of programs that are gone',
      run: () => jobs.takeOver(leadership.alive),
    },
    ...features.flatMap((feature) => feature.rounds ?? []),
  ]
  const watched = rounds.map(base.roundBook.watch)

  return {
    app,
    routes,
    jobs,
    rounds,
    beginRounds() {
      for (const { seconds, name, run } of watched) jobs.every(seconds, name, run)
    },
    keepMail: mailbox.keep,
    billingRound: linked.billing.round,
    quotasRound: linked.quotas.round,
    inactivityRound: linked.inactivity.round,
    idleBranchesRound: linked.branches.idleRound,
    dryRunRound: linked.branches.dryRunRound,
    settleSizes: linked.compute.resizes.settleLeftBehind,
    upgradesRound: linked.upgrades.upgrades.windowRound,
    settleUpgrades: linked.upgrades.upgrades.settleLeftBehind,
    mendReplicas: linked.replicas.mend,
    backupRound: linked.backups.round,
    backupFilesRound: linked.backups.filesRound,
    reconcile: linked.servers.reconcile,
    networksRound: linked.networks.networks.settleAll,
    diskRound: linked.disk.disk.round,
    logsRound: linked.logs.retain,
    drainNotices: linked.logDrains.noticesRound,
    usageRound: linked.usage.rollUp.run,
    sampleRound: linked.reports.sample,
    keepReserve: linked.disk.keepReserve,
    vaultRound: linked.vault.round,
    domainsRound: linked.domains.round,
    certificatesRound: linked.domains.certificatesRound,
    trashRound: linked.trash.round,
    signOfLife: linked.health.signOfLife,
    evaluateAlerts: linked.alerts.evaluate,
    deliverAlerts: linked.alerts.deliver,
    arriveBySso: linked.sso.arrive,
    startSelfHosted: linked.selfHosted.start,
    async close() {
      await leadership.close()
      for (const { close } of features) await close?.()
      await app.close()
      await jobs.close()
      await checked.settled()
    },
  }
}
