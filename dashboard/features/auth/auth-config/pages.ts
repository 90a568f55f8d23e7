import type { SettingsGroup } from './setting-field.ts'

/** /project/{ref}/auth/url-configuration */
export const addresses: readonly SettingsGroup[] = [
  {
    title: 'Site URL',
    fields: [
      {
        key: 'SITE_URL',
        kind: 'text',
        label: 'Site URL',
        help: 'Where links in emails lead unless an app asks for another URL. Templates refer to it as {{ .SiteURL }}.',
      },
    ],
  },
  {
    title: 'Redirect URLs',
    fields: [
      {
        key: 'URI_ALLOW_LIST',
        kind: 'lines',
        label: 'Allowed targets',
        help: 'One URL per line. * matches anything up to the next dot or slash, ** matches anything, ? matches one character.',
      },
    ],
  },
]

/** /project/{ref}/auth/performance */
export const performance: readonly SettingsGroup[] = [
  {
    title: 'Requests',
    fields: [
      {
        key: 'API_MAX_REQUEST_DURATION',
        kind: 'whole',
        label: 'Request duration',
        help: 'A request that takes longer fails with 504. Leave empty for no separate limit.',
        unit: 'seconds',
      },
    ],
  },
  {
    title: 'Connections',
    fields: [
      {
        key: 'DB_MAX_POOL_SIZE',
        kind: 'whole',
        label: 'Database connections',
        help: 'The most connections that the auth service opens. Leave empty for what the server gives every project.',
        unit: 'at most',
      },
    ],
  },
]

/** /project/{ref}/auth/rate-limits */
export const rates: readonly SettingsGroup[] = [
  {
    title: 'Messages of the project',
    fields: [
      {
        key: 'RATE_LIMIT_EMAIL_SENT',
        kind: 'whole',
        label: 'Mails',
        help: 'All emails of the project together.',
        unit: 'per hour',
      },
      {
        key: 'RATE_LIMIT_SMS_SENT',
        kind: 'whole',
        label: 'Text messages',
        help: 'All text messages together; those to test numbers do not count.',
        unit: 'per hour',
      },
    ],
  },
  {
    title: 'Requests of one IP address',
    fields: [
      {
        key: 'RATE_LIMIT_TOKEN_REFRESH',
        kind: 'whole',
        label: 'Sign-ins and refreshed sessions',
        unit: 'per 5 minutes',
      },
      {
        key: 'RATE_LIMIT_VERIFY',
        kind: 'whole',
        label: 'Codes and links that are checked',
        unit: 'per 5 minutes',
      },
      {
        key: 'RATE_LIMIT_OTP',
        kind: 'whole',
        label: 'Codes and links requested',
        unit: 'per 5 minutes',
      },
      {
        key: 'RATE_LIMIT_ANONYMOUS_USERS',
        kind: 'whole',
        label: 'Anonymous sign-ins',
        unit: 'per hour',
      },
      {
        key: 'RATE_LIMIT_WEB3',
        kind: 'whole',
        label: 'Sign-ins with a wallet',
        unit: 'per 5 minutes',
      },
    ],
  },
]
