import { matchesPattern } from './permissions.ts'

/**
 * What an operator can switch off by name (requirements §6 `disabled_features`; facts §3.2 and §8 have the names). Each
 * hides a part of the dashboard, some make the server refuse endpoints too (by name, `%` any text), and some are known
 * names of what this version does not have.
 */
export type Feature =
  | { hides: string; refuses?: readonly string[] }
  | {
      /** What is not here to be hidden. */
      notHere: string
    }

const authEndpoints = [
  'authConfig.%',
  'authUsers.%',
  'authRecords.%',
  'authOauthClients.%',
  'thirdPartyAuth.%',
  'v1.authConfig',
  'v1.updateAuthConfig',
  'v1.ssoProvider%',
  'v1.%SsoProvider',
] as const
const functionEndpoints = [
  'functions.%',
  'v1.function%',
  'v1.%Function',
  'v1.updateFunctions',
] as const

export const features = {
  'organizations:create': {
    hides: 'New organizations',
    refuses: ['organizations.create', 'v1.createOrganization'],
  },
  'organizations:delete': { hides: 'Deleting organizations', refuses: ['organizations.remove'] },
  'organization_members:create': {
    hides: 'Invitations',
    refuses: ['invitations.create', 'invitations.resend'],
  },
  'organization_members:delete': { hides: 'Removing members', refuses: ['members.remove'] },
  'projects:create': { hides: 'New projects', refuses: ['projects.create', 'v1.createProject'] },
  'projects:transfer': { hides: 'Transferring projects', refuses: ['transfer.%'] },
  'project_auth:all': { hides: 'All pages of Authentication', refuses: authEndpoints },
  'project_storage:all': {
    hides: 'All pages of Storage',
    refuses: ['storage.%', 'storageKeys.%', 'storageSettings.%'],
  },
  'project_edge_function:all': { hides: 'All pages of Edge functions', refuses: functionEndpoints },
  'profile:update': { hides: 'Saving the profile', refuses: ['profile.update'] },
  'billing:account_data': {
    hides: 'Billing email, address and tax IDs',
    refuses: ['billing.customer%', 'billing.taxIds%', 'billing.updateCustomer'],
  },
  'billing:credits': { hides: 'Credits', refuses: ['billing.credits%'] },
  'billing:invoices': {
    hides: 'Past invoices',
    refuses: ['billing.invoices', 'billing.invoiceCount', 'billing.invoice', 'billing.invoicePdf'],
  },
  'billing:payment_methods': {
    hides: 'Payment methods',
    refuses: ['billing.payment%', 'billing.setupIntent'],
  },
  'realtime:all': { hides: 'All pages of Realtime', refuses: ['realtime.%'] },
  'account:show_security_settings': { hides: 'The Security page of an account' },
  'ai:opt_in_level_disabled': { hides: 'The choice to send the assistant nothing' },
  'ai:opt_in_level_schema': { hides: 'The choice to send the assistant the schema' },
  'ai:opt_in_level_schema_and_log': { hides: 'The choice to send the assistant logs' },
  'ai:opt_in_level_schema_and_log_and_data': { hides: 'The choice to send the assistant rows' },
  'authentication:sign_in_providers': { hides: 'The Sign in / Providers page' },
  'authentication:third_party_auth': { hides: 'The Third-party auth page' },
  'authentication:rate_limits': { hides: 'The Rate limits page' },
  'authentication:emails': { hides: 'The pages of email templates and SMTP' },
  'authentication:multi_factor': { hides: 'The Multi-factor page' },
  'authentication:attack_protection': { hides: 'The Attack protection page' },
  'authentication:performance': { hides: 'The Performance page of Authentication' },
  'authentication:show_email_phone_columns': { hides: 'Emails and phone numbers in the user list' },
  'authentication:show_manual_linking': { hides: 'The setting for manual linking' },
  'authentication:show_provider_filter': { hides: 'The provider filter of the user list' },
  'authentication:show_providers': { hides: 'The list of providers' },
  'authentication:show_custom_providers': { notHere: 'OAuth and OpenID providers of your own' },
  'authentication:show_send_invitation': { hides: 'Sending invitations to users' },
  'authentication:show_sort_by_email': { hides: 'Sorting users by email' },
  'authentication:show_sort_by_phone': { hides: 'Sorting users by phone' },
  'authentication:show_user_type_filter': { hides: 'The status filter of the user list' },
  'billing:all': { hides: 'The Billing page and prices' },
  'branding:large_logo': { notHere: 'A second, larger logo' },
  'dashboard_auth:sign_up': { hides: 'Sign-up for the dashboard, which is then refused' },
  'dashboard_auth:sign_in_with_github': { hides: 'Sign-in with GitHub, which is then refused' },
  'dashboard_auth:sign_in_with_sso': { hides: 'Single sign-on, which is then refused' },
  'dashboard_auth:sign_in_with_email': { hides: 'Sign-in by email, which is then refused' },
  'dashboard_auth:show_testimonial': { hides: 'The picture and words beside the sign-in form' },
  'dashboard_auth:show_tos': { hides: 'Terms of service and privacy policy on the sign-up page' },
  'database:replication': { hides: 'The Replication page' },
  'database:roles': { hides: 'The Roles page' },
  'database:restore_to_new_project': {
    hides: 'Restoring to a new project',
    refuses: ['backups.clone'],
  },
  'database:network_restrictions': {
    hides: 'Network restrictions in the Management API',
    refuses: [
      'v1.networkRestrictions',
      'v1.applyNetworkRestrictions',
      'v1.changeNetworkRestrictions',
    ],
  },
  'edge_functions:show_stripe_example': { hides: 'The Stripe template for functions' },
  'edge_functions:show_all_edge_function_invocation_examples': {
    hides: 'Examples of calls of a function beyond curl',
  },
  'integrations:partners': { notHere: 'Integrations of partners' },
  'integrations:wrappers': { hides: 'The Wrappers page' },
  'integrations:vercel': { notHere: 'The Vercel integration' },
  'integrations:aws_private_link': { notHere: 'AWS PrivateLink' },
  'infrastructure:read_replicas': { hides: 'Read replicas', refuses: ['replicas.%'] },
  'logs:all': { hides: 'All pages of logs', refuses: ['logs.%'] },
  'logs:templates': { hides: 'Templates of the logs explorer' },
  'logs:collections': { hides: 'The page of each log source' },
  'logs:metadata': { hides: 'Fields of metadata in the field reference of the logs explorer' },
  'logs:show_metadata_ip_template': { hides: 'The template of IP addresses in the logs explorer' },
  'organization:show_sso_settings': { hides: 'The Single sign-on page of an organization' },
  'organization:show_security_settings': { hides: 'The Security page of an organization' },
  'organization:show_legal_documents': { hides: 'The Legal documents page' },
  'profile:show_email': { hides: 'The email on the Profile page' },
  'profile:show_information': { hides: 'Names on the Profile page' },
  'profile:show_analytics_and_marketing': { hides: 'Privacy settings on the Preferences page' },
  'profile:show_account_deletion': { hides: 'Deleting an account' },
  'project_connection:show_app_frameworks': { hides: 'App Frameworks in the Connect dialog' },
  'project_connection:show_mobile_frameworks': { hides: 'Mobile in the Connect dialog' },
  'project_connection:show_orms': { hides: 'ORMs in the Connect dialog' },
  'project_creation:show_advanced_config': {
    hides: 'The choice of who reaches new tables when a project is created',
  },
  'project_homepage:show_instance_size': { hides: 'The compute size on the home of a project' },
  'project_homepage:show_examples': { hides: 'Example projects on the home of a project' },
  'project_addons:dedicated_ipv4_address': { notHere: 'Dedicated IPv4 addresses' },
  'project_addons:show_compute_price': { hides: 'Prices of compute sizes for a new project' },
  'project_settings:custom_domains': {
    hides: 'The Custom domains page of a project',
    refuses: ['domains.%', 'v1.%CustomHostname', 'v1.customHostname', 'v1.%anitySubdomain'],
  },
  'project_settings:show_disable_legacy_api_keys': { hides: 'Disabling the legacy API keys' },
  'project_settings:legacy_jwt_keys': { hides: 'The Legacy JWT secret page' },
  'project_settings:log_drains': {
    hides: 'Log drains of projects and of audit logs',
    refuses: ['log-drains.%', 'audit-log-drains.%'],
  },
  'project_settings:database_upgrades': { notHere: 'Upgrades of Postgres by a click' },
  'project_settings:restart_project': { hides: 'Restarting a project' },
  'quickstarts:hide_nimbus': { notHere: 'Quickstarts for AWS Nimbus' },
  'reports:all': { hides: 'Reports' },
  'sdk:auth': { hides: 'User management in the API docs' },
  'sdk:csharp': { hides: 'C# among the client libraries' },
  'sdk:dart': { hides: 'Flutter among the client libraries' },
  'sdk:elixir': { notHere: 'A client library for Elixir' },
  'sdk:kotlin': { hides: 'Kotlin among the client libraries' },
  'sdk:python': { hides: 'Python among the client libraries' },
  'sdk:swift': { hides: 'Swift among the client libraries' },
  'storage:analytics': { notHere: 'Analytics buckets' },
  'storage:vectors': { notHere: 'Vector buckets' },
  'search:fullIndex': { hides: 'Tables, queries, users and files in the command menu' },
  'support:show_client_libraries': { hides: 'The client library in the support form' },
} as const satisfies Record<string, Feature>

/** Every name that the setting may hold. */
export type FeatureName = keyof typeof features
/** Those that hide something. */
export type HideableFeature = {
  [N in FeatureName]: (typeof features)[N] extends { hides: string } ? N : never
}[FeatureName]

const entries: [string, Feature][] = Object.entries(features)

export const disableableFeatures: ReadonlySet<string> = new Set(Object.keys(features))

/** Whether one of the switched-off features takes this endpoint away. */
export function isSwitchedOff(endpointName: string, disabled: readonly string[]): boolean {
  return entries.some(
    ([name, feature]) =>
      disabled.includes(name) &&
      'refuses' in feature &&
      feature.refuses?.some((pattern) => matchesPattern(pattern, endpointName)),
  )
}
