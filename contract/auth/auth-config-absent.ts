import { z } from 'zod'

const providers =
  'apple azure bitbucket discord facebook figma github gitlab google kakao keycloak linkedin_oidc slack_oidc notion slack ' +
  'spotify twitch twitter x zoom'
const notifications =
  'password_changed email_changed phone_changed mfa_factor_enrolled mfa_factor_unenrolled identity_linked identity_unlinked'

/** Settings that programs of /v1 expect in an answer and that the auth service here does not have: nothing is told of them. */
const absentKeys = [
  'db_max_pool_size_unit',
  ...providers.split(' ').map((name) => `external_${name}_email_optional`),
  ...['client_id', 'enabled', 'secret'].map((part) => `external_x_${part}`),
  ...['enabled', 'uri', 'secrets'].map((part) => `hook_after_user_created_${part}`),
  ...notifications
    .split(' ')
    .flatMap((name) => [
      `mailer_subjects_${name}_notification`,
      `mailer_templates_${name}_notification_content`,
      `mailer_notifications_${name}_enabled`,
    ]),
  ...['client_id', 'email_optional', 'client_secret'].map((part) => `nimbus_oauth_${part}`),
  'security_sb_forwarded_for_enabled',
  'security_update_password_require_current_password',
]

/** What stands in each answer beside the settings: further providers are made with the service key, so many at most. */
export const authAnswerRest = {
  ...(Object.fromEntries(absentKeys.map((key) => [key, null])) as Record<string, null>),
  custom_oauth_enabled: true,
  custom_oauth_max_providers: 50,
}

/** The same as a shape. */
export const authAnswerRestShape: Record<string, z.ZodType> = {
  ...Object.fromEntries(absentKeys.map((key) => [key, z.null()])),
  custom_oauth_enabled: z.boolean(),
  custom_oauth_max_providers: z.int(),
}
