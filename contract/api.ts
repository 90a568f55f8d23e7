import { accessTokens } from './people/access-tokens.ts'
import { account } from './people/account.ts'
import { advisors } from './observability/advisors.ts'
import { authConfig } from './auth/auth-config.ts'
import { apiKeys } from './projects/api-keys.ts'
import { authOauthClients } from './auth/auth-oauth-clients.ts'
import { authRecords } from './auth/auth-records.ts'
import { authUsers } from './auth/auth-users.ts'
import { assistant } from './assistant/assistant.ts'
import { backups } from './projects/backups.ts'
import { vault } from './integrations/vault.ts'
import { banners } from './operations/banners.ts'
import { compute } from './projects/compute-resize.ts'
import { upgrades } from './projects/upgrades.ts'
import { consent } from './people/consent.ts'
import { flags } from './operations/flags.ts'
import { audit } from './organizations/audit.ts'
import { disk } from './projects/disk.ts'
import { domains } from './projects/domains.ts'
import { diagramLayouts } from './database/diagram-layouts.ts'
import { realtime } from './realtime/realtime-config.ts'
import { dataApi } from './data-api/data-api.ts'
import { databasePorts } from './database/database-ports.ts'
import { databaseSsl } from './database/database-ssl.ts'
import { databasePassword } from './database/database-password.ts'
import { documents } from './organizations/documents.ts'
import { transfer } from './organizations/transfer.ts'
import { billing } from './billing/billing.ts'
import { billingCustomer } from './billing/billing-customer.ts'
import { billingOperator } from './billing/billing-operator.ts'
import { branches } from './projects/branches.ts'
import { trash } from './projects/trash.ts'
import { replicas } from './projects/replicas.ts'
import { favorites } from './projects/favorites.ts'
import { functions } from './functions/functions.ts'
import { internalFunctions } from './functions/functions-internal.ts'
import { graphqlConsole } from './data-api/graphql-console.ts'
import { internal } from './internal-api.ts'
import { invitations } from './organizations/invitations.ts'
import { analytics } from './observability/analytics.ts'
import { auditLogDrains, logDrains } from './observability/log-drains.ts'
import { logs } from './observability/logs.ts'
import { listeners } from './operations/listeners.ts'
import { members } from './organizations/members.ts'
import { mailbox } from './operations/mailbox.ts'
import { notifications } from './people/notifications.ts'
import { oauthApps } from './organizations/oauth-apps.ts'
import { claims } from './operations/claims.ts'
import { extensionUse } from './operations/extension-use.ts'
import { orphans } from './operations/orphans.ts'
import { organizations } from './organizations/organizations.ts'
import { projectDatabase } from './projects/project-database.ts'
import { platform } from './operations/platform.ts'
import { profile } from './people/profile.ts'
import { projectHome } from './projects/project-home.ts'
import { projects } from './projects/projects.ts'
import { serviceRestarts } from './projects/service-restarts.ts'
import { signingKeys } from './projects/signing-keys.ts'
import { snippetFolders } from './database/snippet-folders.ts'
import { reports } from './observability/reports.ts'
import { roleLooks } from './operations/role-looks.ts'
import { rounds } from './operations/rounds.ts'
import { queryTrends } from './observability/query-performance.ts'
import { snippets } from './database/snippets.ts'
import { sqlHistory } from './database/sql/sql-history.ts'
import { sso } from './organizations/sso.ts'
import { storage } from './storage/storage.ts'
import { storageJobs } from './storage/storage-jobs.ts'
import { storageKeys } from './storage/storage-keys.ts'
import { storageSettings } from './storage/storage-settings.ts'
import { storageTrash } from './storage/storage-trash.ts'
import { storageUse } from './storage/storage-use.ts'
import { alerts } from './operations/alerts.ts'
import { health } from './operations/health.ts'
import { installationLogs } from './operations/installation-logs.ts'
import { operators } from './operations/operators.ts'
import { planes } from './operations/planes.ts'
import { rateCounts } from './operations/rate-counts.ts'
import { support } from './people/support.ts'
import { usage } from './billing/usage.ts'
import { tableViews } from './database/table-views.ts'
import { telemetry } from './operations/telemetry.ts'
import { thirdPartyAuth } from './auth/third-party-auth.ts'
import { v1 } from './v1/v1.ts'
import { v1Elsewhere } from './v1/v1-elsewhere.ts'
import { webhooks } from './integrations/webhooks.ts'

/** The whole platform API, by feature. The dashboard imports the features it needs, not this. */
export const api = {
  platform,
  profile,
  accessTokens,
  account,
  organizations,
  members,
  invitations,
  oauthApps,
  transfer,
  documents,
  audit,
  projects,
  branches,
  trash,
  replicas,
  favorites,
  listeners,
  logs,
  logDrains,
  auditLogDrains,
  analytics,
  databasePassword,
  databasePorts,
  databaseSsl,
  backups,
  authConfig,
  signingKeys,
  thirdPartyAuth,
  apiKeys,
  dataApi,
  realtime,
  authUsers,
  authRecords,
  authOauthClients,
  advisors,
  queryTrends,
  projectHome,
  billing,
  billingCustomer,
  billingOperator,
  usage,
  alerts,
  claims,
  health,
  installationLogs,
  extensionUse,
  operators,
  planes,
  rateCounts,
  orphans,
  reports,
  roleLooks,
  rounds,
  serviceRestarts,
  snippets,
  graphqlConsole,
  functions,
  storage,
  storageJobs,
  storageKeys,
  storageSettings,
  storageTrash,
  storageUse,
  snippetFolders,
  sqlHistory,
  tableViews,
  diagramLayouts,
  disk,
  domains,
  compute,
  upgrades,
  sso,
  ...projectDatabase,
  mailbox,
  notifications,
  support,
  banners,
  consent,
  flags,
  telemetry,
  assistant,
  vault,
  webhooks,
  v1,
  v1Elsewhere,
  internal,
  internalFunctions,
}
