import { accessTokens } from './access-tokens.ts'
import { account } from './account.ts'
import { advisors } from './advisors.ts'
import { authConfig } from './auth-config.ts'
import { apiKeys } from './api-keys.ts'
import { authOauthClients } from './auth-oauth-clients.ts'
import { authRecords } from './auth-records.ts'
import { authUsers } from './auth-users.ts'
import { assistant } from './assistant.ts'
import { backups } from './backups.ts'
import { banners } from './banners.ts'
import { consent } from './consent.ts'
import { flags } from './flags.ts'
import { audit } from './audit.ts'
import { disk } from './disk.ts'
import { diagramLayouts } from './diagram-layouts.ts'
import { realtime } from './realtime-config.ts'
import { dataApi } from './data-api.ts'
import { databasePassword } from './database-password.ts'
import { documents } from './documents.ts'
import { transfer } from './transfer.ts'
import { billing } from './billing.ts'
import { billingCustomer } from './billing-customer.ts'
import { billingOperator } from './billing-operator.ts'
import { functions } from './functions.ts'
import { internalFunctions } from './functions-internal.ts'
import { graphqlConsole } from './graphql-console.ts'
import { internal } from './internal-api.ts'
import { invitations } from './invitations.ts'
import { listeners } from './listeners.ts'
import { members } from './members.ts'
import { mailbox } from './mailbox.ts'
import { notifications } from './notifications.ts'
import { oauthApps } from './oauth-apps.ts'
import { claims } from './claims.ts'
import { orphans } from './orphans.ts'
import { organizations } from './organizations.ts'
import { projectDatabase } from './project-database.ts'
import { platform } from './platform.ts'
import { profile } from './profile.ts'
import { projectHome } from './project-home.ts'
import { projects } from './projects.ts'
import { signingKeys } from './signing-keys.ts'
import { snippetFolders } from './snippet-folders.ts'
import { roleLooks } from './role-looks.ts'
import { rounds } from './rounds.ts'
import { queryTrends } from './query-performance.ts'
import { snippets } from './snippets.ts'
import { sqlHistory } from './sql-history.ts'
import { sso } from './sso.ts'
import { storage } from './storage.ts'
import { storageJobs } from './storage-jobs.ts'
import { storageKeys } from './storage-keys.ts'
import { storageSettings } from './storage-settings.ts'
import { storageTrash } from './storage-trash.ts'
import { storageUse } from './storage-use.ts'
import { support } from './support.ts'
import { tableViews } from './table-views.ts'
import { telemetry } from './telemetry.ts'
import { thirdPartyAuth } from './third-party-auth.ts'
import { v1 } from './v1.ts'
import { webhooks } from './webhooks.ts'

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
  listeners,
  databasePassword,
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
  claims,
  orphans,
  roleLooks,
  rounds,
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
  webhooks,
  v1,
  internal,
  internalFunctions,
}
