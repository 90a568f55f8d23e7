import { matchesPattern } from './permissions.ts'

/**
 * Features that an operator can switch off (facts §3.2), and the endpoints that the server then refuses, by name
 * (`%` any text). The profile tells the dashboard which are off; it hides what leads to them.
 */
export const featureEndpoints = {
  'organizations:create': ['organizations.create', 'v1.createOrganization'],
  'organizations:delete': ['organizations.remove'],
  'organization_members:create': ['invitations.create', 'invitations.resend'],
  'organization_members:delete': ['members.remove'],
  'projects:create': ['projects.create', 'v1.createProject'],
  'projects:transfer': ['transfer.%'],
  'project_auth:all': ['projectAuth.%'],
  'project_storage:all': ['storage.%', 'storageKeys.%', 'storageSettings.%'],
  'project_edge_function:all': ['functions.%'],
  'profile:update': ['profile.update'],
  'billing:account_data': ['billing.customer%', 'billing.taxIds%', 'billing.updateCustomer'],
  'billing:credits': ['billing.credits%'],
  'billing:invoices': ['billing.invoice%'],
  'billing:payment_methods': ['billing.payment%', 'billing.setupIntent'],
  'realtime:all': ['realtime.%'],
} as const satisfies Record<string, readonly string[]>

/** Parts of pages that an operator can hide (facts §8). They refuse nothing on the server. */
const pageParts: Record<string, string> = {
  account: 'show_security_settings',
  ai: 'opt_in_level_disabled opt_in_level_schema opt_in_level_schema_and_log opt_in_level_schema_and_log_and_data',
  authentication:
    'sign_in_providers third_party_auth rate_limits emails multi_factor attack_protection performance ' +
    'show_email_phone_columns show_manual_linking show_provider_filter show_providers show_custom_providers ' +
    'show_send_invitation show_sort_by_email show_sort_by_phone show_user_type_filter',
  billing: 'all',
  branding: 'large_logo',
  dashboard_auth:
    'sign_up sign_in_with_github sign_in_with_sso sign_in_with_email show_testimonial show_tos',
  database: 'replication roles restore_to_new_project network_restrictions',
  edge_functions: 'show_stripe_example show_all_edge_function_invocation_examples',
  integrations: 'partners wrappers vercel aws_private_link',
  infrastructure: 'read_replicas',
  logs: 'all templates collections metadata show_metadata_ip_template',
  organization: 'show_sso_settings show_security_settings show_legal_documents',
  profile: 'show_email show_information show_analytics_and_marketing show_account_deletion',
  project_connection: 'show_app_frameworks show_mobile_frameworks show_orms',
  project_creation: 'show_advanced_config',
  project_homepage: 'show_instance_size show_examples',
  project_addons: 'dedicated_ipv4_address show_compute_price',
  project_settings:
    'custom_domains show_disable_legacy_api_keys legacy_jwt_keys log_drains database_upgrades restart_project',
  quickstarts: 'hide_nimbus',
  reports: 'all',
  sdk: 'auth csharp dart elixir kotlin python swift',
  storage: 'analytics vectors',
  search: 'fullIndex',
  support: 'show_client_libraries',
}

/** Every name that the setting may hold. */
export const disableableFeatures: ReadonlySet<string> = new Set([
  ...Object.keys(featureEndpoints),
  ...Object.entries(pageParts).flatMap(([area, names]) =>
    names.split(' ').map((name) => `${area}:${name}`),
  ),
])

/** Whether one of the switched-off features takes this endpoint away. */
export function isSwitchedOff(endpointName: string, disabled: readonly string[]): boolean {
  return Object.entries(featureEndpoints).some(
    ([feature, patterns]) =>
      disabled.includes(feature) &&
      patterns.some((pattern) => matchesPattern(pattern, endpointName)),
  )
}
