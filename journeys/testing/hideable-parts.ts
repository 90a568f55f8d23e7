import type { Locator, Page } from 'playwright-core'
import type { HideableFeature } from '#contract/features'

/** Where in the dashboard each name of `disabled_features` shows, for the journey that switches them off. */
export type Part = (page: Page) => Locator
export type Group = {
  at: string
  /** There once the page has what it shows. */
  ready: Part
  /** What is opened to see the parts. */
  open?: (page: Page) => Promise<unknown>
  parts: Partial<Record<HideableFeature, Part>>
}

const heading =
  (name: string): Part =>
  (at) =>
    at.getByRole('heading', { name, exact: true })
const link =
  (name: string): Part =>
  (at) =>
    at.getByRole('link', { name, exact: true })
/** An entry of the rail, which has its keys beside its name. */
const rail =
  (name: string): Part =>
  (at) =>
    at.getByRole('navigation', { name: 'Product' }).getByRole('link', { name })
const radio =
  (name: RegExp): Part =>
  (at) =>
    at.getByRole('radio', { name })
const text =
  (words: string): Part =>
  (at) =>
    at.getByText(words, { exact: true })
const button =
  (name: string | RegExp): Part =>
  (at) =>
    at.getByRole('button', { name })
/** A button or link that can be used; with its feature off it stays and says why. */
const usable =
  (name: string): Part =>
  (at) =>
    at
      .locator(':is(button, a, [role="menuitem"]):not([aria-disabled="true"])')
      .filter({ hasText: name })
const press = (name: string | RegExp) => (at: Page) => button(name)(at).first().click()

export const partsOfProject = (ref: string): Group[] => [
  {
    at: `/project/${ref}/auth/users`,
    ready: text('No users yet'),
    parts: {
      'project_storage:all': rail('Storage'),
      'project_edge_function:all': rail('Edge functions'),
      'realtime:all': rail('Realtime'),
      'authentication:sign_in_providers': link('Sign in / Providers'),
      'authentication:third_party_auth': link('Third-party auth'),
      'authentication:rate_limits': link('Rate limits'),
      'authentication:emails': link('Email templates'),
      'authentication:multi_factor': link('Multi-factor'),
      'authentication:attack_protection': link('Attack protection'),
      'authentication:performance': link('Performance'),
      'authentication:show_provider_filter': button(/^Provider:/),
      'authentication:show_user_type_filter': button(/^Status:/),
    },
  },
  {
    at: `/project/${ref}/auth/users`,
    ready: text('No users yet'),
    open: press(/^Sort by:/),
    parts: {
      'authentication:show_sort_by_email': (at) => at.getByRole('option', { name: /^Email, Z/ }),
      'authentication:show_sort_by_phone': (at) => at.getByRole('option', { name: /^Phone, Z/ }),
    },
  },
  {
    at: `/project/${ref}/auth/users`,
    ready: text('No users yet'),
    open: press('Add user'),
    parts: {
      'authentication:show_send_invitation': (at) =>
        at.getByRole('menuitem', { name: 'Send an invitation' }),
    },
  },
  {
    at: `/project/${ref}/auth/users`,
    ready: text('No users yet'),
    open: press('Columns'),
    parts: {
      'authentication:show_email_phone_columns': (at) =>
        at.getByRole('checkbox', { name: 'Phone', exact: true }),
    },
  },
  {
    at: `/project/${ref}/auth/providers`,
    ready: text('Allow new users to sign up'),
    parts: {
      'authentication:show_manual_linking': text('Allow manual linking'),
      'authentication:show_providers': heading('Providers'),
      'logs:collections': link('Logs'),
    },
  },
  {
    at: `/project/${ref}/database/tables`,
    ready: heading('Tables'),
    parts: {
      'project_auth:all': rail('Authentication'),
      'logs:all': rail('Logs'),
      'reports:all': rail('Reports'),
      'database:replication': link('Replication'),
      'database:roles': link('Roles'),
      'integrations:wrappers': link('Wrappers'),
    },
  },
  {
    at: `/project/${ref}/logs/explorer/templates`,
    ready: heading('Top paths'),
    parts: { 'logs:show_metadata_ip_template': heading('Metadata IP') },
  },
  {
    at: `/project/${ref}/logs/explorer`,
    ready: heading('Logs explorer'),
    open: press('Field reference'),
    parts: {
      'logs:templates': link('Templates'),
      'logs:metadata': button(/metadata\.request\.method/),
    },
  },
  {
    at: `/project/${ref}/database/replication`,
    ready: heading('Slots'),
    parts: { 'infrastructure:read_replicas': heading('Read replicas') },
  },
  {
    at: `/project/${ref}/database/backups/scheduled`,
    ready: link('Point in time'),
    parts: { 'database:restore_to_new_project': link('Restore to a new project') },
  },
  {
    at: `/project/${ref}`,
    ready: text('JavaScript'),
    open: press('More'),
    parts: {
      'project_homepage:show_examples': heading('Example projects'),
      'project_homepage:show_instance_size': (at) => at.getByText(/^(?:Nano|Micro), [\d.]+ GB$/),
      'project_settings:restart_project': (at) =>
        at.getByRole('menuitem', { name: 'Restart project' }),
      'sdk:csharp': text('C#'),
      'sdk:dart': text('Flutter'),
      'sdk:kotlin': text('Kotlin'),
      'sdk:python': text('Python'),
      'sdk:swift': text('Swift'),
    },
  },
  {
    at: `/project/${ref}?showConnect=true`,
    ready: (at) => at.getByRole('tab', { name: 'Connection String' }),
    parts: {
      'project_connection:show_app_frameworks': (at) =>
        at.getByRole('tab', { name: 'App Frameworks' }),
      'project_connection:show_mobile_frameworks': (at) => at.getByRole('tab', { name: 'Mobile' }),
      'project_connection:show_orms': (at) => at.getByRole('tab', { name: 'ORMs' }),
    },
  },
  {
    at: `/project/${ref}/settings/general`,
    ready: heading('Transfer project'),
    parts: {
      'projects:transfer': usable('Transfer project'),
      'project_settings:custom_domains': link('Custom domains'),
      'project_settings:log_drains': link('Log drains'),
    },
  },
  {
    at: `/project/${ref}/settings/api-keys/legacy`,
    ready: heading('Legacy API keys'),
    parts: {
      'project_settings:show_disable_legacy_api_keys': heading('Disable legacy API keys'),
    },
  },
  {
    at: `/project/${ref}/settings/jwt/signing-keys`,
    ready: link('JWT signing keys'),
    parts: { 'project_settings:legacy_jwt_keys': link('Legacy JWT secret') },
  },
  {
    at: `/project/${ref}/functions/new`,
    ready: heading('New function'),
    open: press(/^Template/),
    parts: {
      'edge_functions:show_stripe_example': (at) =>
        at.getByRole('option', { name: 'Stripe webhook' }),
    },
  },
  {
    at: `/project/${ref}/functions/hello/details`,
    ready: (at) => at.getByText('curl -X POST'),
    parts: {
      'edge_functions:show_all_edge_function_invocation_examples': (at) =>
        at.getByText('supabase.functions.invoke'),
    },
  },
  {
    at: `/project/${ref}/api`,
    ready: heading('Introduction'),
    parts: { 'sdk:auth': link('User management') },
  },
  {
    at: `/project/${ref}/database/tables`,
    ready: heading('Tables'),
    open: async (at) => {
      await at.keyboard.press('ControlOrMeta+k')
      await at.getByPlaceholder('Find a page, a thing or an action').fill('orders')
      // What is found in the organization comes last.
      await at.getByRole('option', { name: /Orders project/ }).waitFor()
    },
    parts: {
      'search:fullIndex': (at) => at.getByRole('option', { name: /^orders Open/ }),
    },
  },
]

export const partsOfOrganization = (slug: string): Group[] => [
  {
    at: `/org/${slug}/general`,
    ready: heading('Assistant'),
    parts: {
      'ai:opt_in_level_schema': radio(/^Schema(?! and|,)/),
      'ai:opt_in_level_schema_and_log': radio(/^Schema and logs/),
      'ai:opt_in_level_schema_and_log_and_data': radio(/^Schema, logs and data/),
      'billing:all': rail('Billing'),
      'organization:show_sso_settings': link('Single sign-on'),
      'organization:show_security_settings': link('Security'),
      'organization:show_legal_documents': link('Legal documents'),
    },
  },
  {
    at: `/org/${slug}/billing`,
    ready: heading('Billing'),
    parts: {
      'billing:account_data': heading('Billing address'),
      'billing:credits': heading('Credits'),
      'billing:invoices': heading('Invoices'),
      'billing:payment_methods': heading('Payment methods'),
    },
  },
  {
    at: `/org/${slug}`,
    ready: heading('Projects'),
    parts: { 'projects:create': usable('New project') },
  },
  {
    at: `/org/${slug}/team`,
    ready: heading('Team'),
    open: press(/^Actions for /),
    parts: {
      'organization_members:create': usable('Invite'),
    },
  },
  {
    at: `/new/${slug}`,
    ready: text('Region'),
    open: press(/^Compute size/),
    parts: {
      'project_creation:show_advanced_config': text('New tables'),
      'project_addons:show_compute_price': (at) => at.getByRole('option', { name: /\$.* \/ h/ }),
    },
  },
]

export const partsOfAccount: Group[] = [
  {
    at: '/account/me',
    ready: heading('Sign-in methods'),
    parts: {
      'account:show_security_settings': link('Security'),
      'profile:show_email': heading('Email'),
      'profile:show_information': heading('Name'),
      'profile:show_account_deletion': heading('Delete account'),
    },
  },
  {
    at: '/account/preferences',
    ready: heading('Appearance'),
    parts: { 'profile:show_analytics_and_marketing': heading('Privacy') },
  },
  {
    at: '/organizations',
    ready: heading('Organizations'),
    parts: { 'organizations:create': usable('New organization') },
  },
  {
    at: '/support/new',
    ready: text('Subject'),
    parts: { 'support:show_client_libraries': (at) => at.getByLabel('Client library') },
  },
]

/** Of the pages before the sign-in. */
export const partsOfSignIn: Group[] = [
  {
    at: '/sign-in',
    ready: heading('Sign in'),
    parts: {
      'dashboard_auth:sign_up': link('Create an account'),
      'dashboard_auth:sign_in_with_email': (at) => at.getByLabel('Email'),
      'dashboard_auth:sign_in_with_sso': button('Continue with single sign-on'),
      'dashboard_auth:show_testimonial': text('Everything your app is built on.'),
    },
  },
  {
    at: '/sign-up',
    ready: heading('Create an account'),
    parts: { 'dashboard_auth:show_tos': link('terms of service') },
  },
]
