import { advisorsFeature } from './observability/advisors/feature.ts'
import { analyticsFeature } from './observability/analytics/feature.ts'
import { logDrainsFeature } from './observability/log-drains/feature.ts'
import { logsFeature } from './observability/logs/feature.ts'
import { queryTrendsFeature } from './observability/query-trends/feature.ts'
import { reportsFeature } from './observability/reports/feature.ts'
import { assistantFeature } from './assistant/assistant/feature.ts'
import { authConfigFeature } from './auth/auth-config/feature.ts'
import { thirdPartyAuthFeature } from './auth/third-party-auth/feature.ts'
import { billingFeature } from './billing/billing/feature.ts'
import { quotasFeature } from './billing/quotas/feature.ts'
import { addOnsFeature } from './billing/add-ons/feature.ts'
import { usageNames } from './billing/usage/pricing.ts'
import { usageFeature } from './billing/usage/feature.ts'
import { dataApiFeature } from './data-api/data-api/feature.ts'
import { vaultFeature } from './integrations/vault/feature.ts'
import { databasePortsFeature } from './database/database-ports/feature.ts'
import { databaseSslFeature } from './database/database-ssl/feature.ts'
import { loginRolesFeature } from './database/login-roles/feature.ts'
import { databasePasswordFeature } from './database/database-password/feature.ts'
import { pgMetaFeature } from './database/pg-meta/feature.ts'
import { webhooksFeature } from './integrations/webhooks/feature.ts'
import { functionsFeature } from './functions/functions/feature.ts'
import { flagsFeature } from './operations/flags/feature.ts'
import type { operatorsFeature } from './operations/operators/feature.ts'
import { alertsFeature } from './operations/alerts/feature.ts'
import { healthFeature } from './operations/health/feature.ts'
import { installationLogsFeature } from './operations/installation-logs/feature.ts'
import { listenersFeature } from './operations/listeners/feature.ts'
import { orphansFeature } from './operations/orphans/feature.ts'
import { outgoingMailFeature } from './operations/outgoing-mail/feature.ts'
import { selfHostedFeature } from './operations/self-hosted/feature.ts'
import { telemetryFeature } from './operations/telemetry/feature.ts'
import { membersFeature } from './organizations/members/feature.ts'
import { organizationsFeature } from './organizations/organizations/feature.ts'
import { ssoFeature } from './organizations/sso/feature.ts'
import { consentFeature } from './people/consent/feature.ts'
import { profileFeature } from './people/profile/feature.ts'
import { supportFeature } from './people/support/feature.ts'
import type { Platform } from './platform.ts'
import { apiKeysFeature } from './projects/api-keys/feature.ts'
import { backupsFeature } from './projects/backups/feature.ts'
import { branchesFeature } from './projects/branches/feature.ts'
import { gitFeature } from './projects/git/feature.ts'
import { upgradesFeature } from './projects/upgrades/feature.ts'
import { computeFeature } from './projects/compute/feature.ts'
import { diskFeature } from './projects/disk/feature.ts'
import { domainsFeature } from './projects/domains/feature.ts'
import { inactivityFeature } from './projects/inactivity/feature.ts'
import { networkRestrictionsFeature } from './projects/network-restrictions/feature.ts'
import { projectHomeFeature } from './projects/project-home/feature.ts'
import { projectSecretsFeature } from './projects/project-secrets/feature.ts'
import { projectsFeature } from './projects/projects/feature.ts'
import { newProjectSecrets, projectIdentity } from './projects/projects/keys.ts'
import type { OwnSecrets } from './projects/projects/own-secrets.ts'
import { serversFeature } from './projects/projects/servers.ts'
import { volumeSizeGb } from './projects/projects/shape.ts'
import { projectEndpoint } from '#contract/projects/project-address'
import { toAddress } from './projects/projects/workflows.ts'
import { replicasFeature } from './projects/replicas/feature.ts'
import { signingKeysFeature } from './projects/signing-keys/feature.ts'
import { trashFeature } from './projects/trash/feature.ts'
import { transferFeature } from './projects/transfer/feature.ts'
import { realtimeFeature } from './realtime/realtime/feature.ts'
import { storageKeysFeature } from './storage/storage-keys/feature.ts'
import { storageSettingsFeature } from './storage/storage-settings/feature.ts'
import { storageFeature } from './storage/storage/feature.ts'
import { selfHostedWorld } from '#contract/operations/platform-only'
import { v1Feature } from './v1/feature.ts'

/** What is there before them. */
type Base = { ownSecrets: OwnSecrets; operators: ReturnType<typeof operatorsFeature> }

/**
 * The features that need something of another, and what. None of them knows the other: each says what it needs, and is given
 * it here. What two need of each other is given as a function that looks for it when it is called.
 */
export async function linkFeatures(platform: Platform, { ownSecrets, operators }: Base) {
  const { projects: rows, projectUrl } = platform
  const endpointOf = (ref: string) => projectEndpoint(ref, projectUrl)

  const mail = outgoingMailFeature(platform)
  const storage = storageFeature(platform)
  const orphans = orphansFeature(platform, {
    queueMail: mail.queue,
    adoptProject: (...args) => projects.adopt(...args),
    adoptBackup: (...args) => backups.adopt(...args),
    unnamed: storage.unnamed,
  })
  const databasePorts = databasePortsFeature(platform, {
    restart: async (ref) => toAddress(await platform.compute.restart(ref)),
    adminPasswordOf: ownSecrets.adminPasswordOf,
  })
  const servers = serversFeature(platform, {
    quarantine: orphans.quarantine,
    openPort: databasePorts.open,
  })
  const disk = diskFeature(platform, { pause: servers.pause })
  const usage = usageFeature(platform, {
    payerOf: (slug) => billing.parts.subscriptions.payerOf(slug),
    begin: (slug) => billing.parts.subscriptions.get(slug),
  })
  const { quotas, ...quotasRounds } = quotasFeature(platform, {
    itemsOf: usage.usage.items,
    nameOf: usageNames,
    measureStorage: usage.sizes.measureStorage,
    review: (organizationId) => billing.review(organizationId),
    queueMail: mail.queue,
  })
  const billing = await billingFeature(platform, {
    settleReadOnly: disk.readOnly.settle,
    exceedsQuota: quotas.exceeds,
    tellStanding: quotas.tellStanding,
    planChanged: async (...of) => {
      await domains.addOn.settle(...of)
      await logDrains.settle(...of)
      await authConfig.planChanged(...of)
    },
    usage: { charges: usage.usage.charges, settle: usage.rollUp.run },
  })
  const domains = domainsFeature(platform, {
    admit: billing.admission.run,
    mail: quotas.mail,
  })
  const logDrains = logDrainsFeature(platform, { mail: quotas.mail })
  const inactivity = inactivityFeature(platform, { mail: quotas.mail, pause: servers.pause })
  const backups = backupsFeature(platform, {
    ...ownSecrets,
    volumeSizeGb,
    toAddress,
    admit: billing.admission.run,
    settle: servers.settle,
    undoCreation: servers.undoCreation,
    isReadOnly: disk.readOnly.desired,
    // Both are made of the same parts, one after the other.
    vault: { reopen: (ref) => vault.reopen(ref), settle: (ref) => vault.settle(ref) },
    quarantine: orphans.quarantine,
    newProject: async ({ password, ...row }) => {
      const made = await newProjectSecrets(row.ref, password, new Date())
      const project = { ...row, made, listen_port: null }
      return (tx) => projects.projects.newProject(tx, 'project.clone', project)
    },
  })

  const compute = computeFeature(platform, {
    admit: billing.admission.run,
    settle: servers.settle,
    toAddress,
  })
  const replicas = replicasFeature(platform, {
    adminPasswordOf: ownSecrets.adminPasswordOf,
    settle: servers.settle,
    toAddress,
  })
  const pgMeta = pgMetaFeature(platform, {
    isMarkerOf: (...given) => projects.isMarkerOf(...given),
  })
  const { runSql } = pgMeta
  const upgrades = upgradesFeature(platform, { runSql, settle: servers.settle, toAddress })
  const vault = vaultFeature(platform, { runSql })
  const dataApi = dataApiFeature(platform, {
    runSql,
    jwtSecret: (...whose) => projects.jwtSecret(...whose),
  })
  const apiKeys = apiKeysFeature(platform, { legacyKeysOf: ownSecrets.of })
  const signingKeys = signingKeysFeature(platform)
  const thirdPartyAuth = thirdPartyAuthFeature(platform, { endpointOf })
  const authConfig = authConfigFeature(platform)
  const storageKeys = storageKeysFeature(platform)
  const storageSettings = storageSettingsFeature(platform)
  const listeners = listenersFeature(platform)
  const realtime = realtimeFeature(platform, {
    connection: (ref) => projects.connection(ref),
    keysOf: apiKeys.oldestOf,
  })
  const projects = await projectsFeature(platform, {
    admission: billing.admission,
    creationOf: backups.creationOf,
    firstKeys: { addApiKeys: apiKeys.addFirst, signing: signingKeys.first },
    checkPort: listeners.check,
    unknown: servers.health.unknown,
    oldestKeys: apiKeys.oldestOf,
    exposedSchemas: dataApi.exposedSchemas,
    services: {
      authSettings: authConfig.chosenBy,
      realtimeSettings: realtime.settingsOf,
      signingKeys: signingKeys.forService,
      thirdPartyAuth: thirdPartyAuth.forService,
      opaqueKeys: apiKeys.forService,
      storageKeys: storageKeys.forService,
      storage: storageSettings.forService,
      replicas: replicas.replicas.forService,
    },
  })
  const home = projectHomeFeature(platform, {
    statusOf: async (ref) => (await projects.projects.status(ref)).status,
  })
  const logs = logsFeature(platform)
  const reports = reportsFeature(platform, {
    logs: logs.ofProject,
    usage: usage.ofProject,
    totals: usage.ofProject.totals,
    runSql,
    isRunning: async (ref) => (await projects.projects.status(ref)).status === 'ACTIVE_HEALTHY',
  })
  const projectSecrets = projectSecretsFeature(platform)
  const functions = functionsFeature(platform, {
    connection: projects.connection,
    secretsOf: projectSecrets.values,
    keysOf: apiKeys.oldestOf,
    databaseUrlOf: ownSecrets.databaseUrlOf,
    usageOf: home.functionUsage,
  })

  const branches = branchesFeature(platform, {
    specOf: ownSecrets.specOf,
    toAddress,
    settle: servers.settle,
    functions: functions.copies,
    settings: {
      auth: authConfig.configs,
      dataApi: { get: dataApi.settingsOf, update: dataApi.update },
      realtime,
      storage: storageSettings,
    },
    removeProject: projects.projects.remove,
    copies: backups.copies,
    runSql,
    pause: servers.pause,
    newProject: async ({ password, sealing_ref, ...row }) => {
      const made = await newProjectSecrets(row.ref, password, new Date())
      const sealed = sealing_ref === undefined ? {} : { sealing_ref }
      const project = { ...row, ...sealed, made, listen_port: null, size: undefined }
      const job = sealing_ref === undefined ? 'project.create' : 'project.copy'
      return (tx) => projects.projects.newProject(tx, job, project)
    },
  })

  const profile = profileFeature(platform)
  const members = membersFeature(platform, { queueMail: mail.queue })
  const sso = ssoFeature(platform, { join: members.members.join, makeProfile: profile.make })
  const organizations = organizationsFeature(platform, {
    forgetSignIn: sso.forget,
    owes: (tx, organizationId) => billing.hasUnpaid(organizationId, tx),
    ...billing.beginning,
    projectsOf: ({ slug, ...page }, caller) => projects.projects.listOf(caller, slug, page),
  })
  const networks = networkRestrictionsFeature(platform, { tellPorts: databasePorts.look })
  const databaseSsl = databaseSslFeature(platform, { tellPorts: databasePorts.look })
  const flags = await flagsFeature(platform)
  const consent = consentFeature(platform)
  const selfHosted = selfHostedFeature(platform, {
    beFirstOperator: operators.beFirst,
    newSecrets: (ref) => newProjectSecrets(ref, '', new Date()),
    addKeys: apiKeys.addFirst,
    identityOf: projectIdentity,
    async settle(address) {
      const { projectRef } = selfHostedWorld
      await rows.setAddress(projectRef, toAddress(address))
      await rows.transition(undefined, projectRef, ['COMING_UP'], 'ACTIVE_HEALTHY')
    },
  })

  const health = healthFeature(platform, {
    backups: backups.promise,
    openAlerts: () => alerts.open(),
  })
  const alerts = alertsFeature(platform, { look: health.look, queueMail: mail.queue })

  const trash = trashFeature(platform, {
    admit: billing.admission.run,
    hasSpace: disk.hasSpace,
  })

  const analytics = analyticsFeature(platform, {
    requests: usage.requests,
    query: logs.query,
    histogram: logs.histogram,
    loads: home.functionLoads,
    hasFunction: functions.has,
  })

  const features = [
    mail,
    storage,
    orphans,
    databasePorts,
    databaseSsl,
    servers,
    disk,
    usage,
    quotasRounds,
    inactivity,
    billing,
    backups,
    compute,
    upgrades,
    replicas,
    domains,
    addOnsFeature({
      compute_instance: compute.resizes,
      pitr: backups.recovery,
      custom_domain: domains.addOn,
    }),
    pgMeta,
    vault,
    dataApi,
    webhooksFeature(platform, { runSql }),
    apiKeys,
    signingKeys,
    thirdPartyAuth,
    authConfig,
    storageKeys,
    storageSettings,
    listeners,
    realtime,
    projects,
    home,
    logs,
    logDrains,
    reports,
    projectSecrets,
    functions,
    branches,
    gitFeature(platform, {
      databases: branches.databases,
      deployChanged: functions.deployChanged,
      travel: branches.travel,
    }),
    trash,
    health,
    alerts,
    installationLogsFeature(platform),
    analytics,
    profile,
    members,
    sso,
    organizations,
    networks,
    flags,
    consent,
    telemetryFeature(platform, { grants: consent.grants, flagsOf: flags.of }),
    supportFeature(platform, { queueMail: mail.queue }),
    transferFeature(platform, { free: billing.free }),
    databasePasswordFeature(platform, ownSecrets),
    loginRolesFeature(platform, { adminPasswordOf: ownSecrets.adminPasswordOf }),
    advisorsFeature(platform, { readLints: pgMeta.read.lints }),
    queryTrendsFeature(platform, { readStatements: pgMeta.read.statements }),
    assistantFeature(platform, { tablesOf: pgMeta.tablesOf }),
    v1Feature(platform, {
      organizations: { ...organizations.organizations, members: members.members.list },
      projects: projects.projects,
      projectAddOns: billing.parts.projectAddOns,
      authConfigs: authConfig.configs,
      configs: {
        dataApi: dataApi.get,
        realtime: realtime.get,
        storage: storageSettings.get,
        networks: networks.networks.get,
        sslEnforced: databaseSsl.isEnforced,
      },
      runSql,
      replicas: replicas.replicas,
      branches: {
        branches: branches.branches,
        settings: projects.settings,
        passwordOf: async (ref) => (await ownSecrets.of(ref)).dbPassword,
      },
    }),
  ]
  return {
    features,
    servers,
    disk,
    usage,
    quotas,
    inactivity,
    billing,
    backups,
    compute,
    upgrades,
    replicas,
    logs,
    logDrains,
    reports,
    members,
    sso,
    networks,
    selfHosted,
    health,
    alerts,
    vault,
    domains,
    branches,
    trash,
  }
}
