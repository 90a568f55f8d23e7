import {
  Archive,
  Blocks,
  BookOpen,
  Building2,
  ChartNoAxesColumn,
  CreditCard,
  Database,
  House,
  LayoutGrid,
  Lightbulb,
  LockKeyhole,
  Radio,
  ScrollText,
  Settings,
  SquareTerminal,
  Table2,
  UsersRound,
  Zap,
} from 'lucide-react'
import { selfHostedWorld } from '#contract/operations/platform-only'
import { area } from './area.ts'
import { withLogs } from './log-places.ts'
import type { Where } from '../session/project/where.ts'
import type { IconType } from '../ui/Icon.tsx'

/** One entry of the rail, the drawer and the command menu. */
export type Place = {
  name: string
  icon: IconType
  /** The address with its values in. */
  to: string
  /** The route, to leave out what this build has no page for. */
  route: string
  /** Only this address, not what lies below it. */
  exact?: boolean
  keys?: string
  /** At the foot of the rail. */
  last?: boolean
}

/** What the rail offers where one is: in a project, in an organization, or above both. */
export function placesAt({ slug, ref }: Where, selfHosted = false): Place[] {
  if (ref) return projectPlaces(ref)
  if (selfHosted) return projectPlaces(selfHostedWorld.projectRef)
  const organizations = {
    name: 'Organizations',
    icon: Building2,
    to: '/organizations',
    route: '/organizations',
    exact: true,
  }
  if (!slug) return [{ ...organizations, keys: 'g o' }]
  return organizationPlaces(slug)
}

function organizationPlaces(slug: string): Place[] {
  const base = `/org/${slug}`
  return [
    {
      name: 'Projects',
      icon: LayoutGrid,
      to: base,
      route: '/org/$slug',
      exact: true,
      keys: 'g h',
    },
    { name: 'Team', icon: UsersRound, to: `${base}/team`, route: '/org/$slug/team', keys: 'g m' },
    {
      name: 'Usage',
      icon: ChartNoAxesColumn,
      to: `${base}/usage`,
      route: '/org/$slug/usage',
      keys: 'g u',
    },
    {
      name: 'Billing',
      icon: CreditCard,
      to: `${base}/billing`,
      route: '/org/$slug/billing',
      keys: 'g b',
    },
    {
      name: 'Organization settings',
      icon: Settings,
      to: `${base}/general`,
      route: '/org/$slug/general',
      keys: 'g ,',
      last: true,
    },
  ]
}

const platformOnly = true as const

/** The pages of an organization's settings, in the second column. */
export const organizationSettings = (slug: string) => [
  {
    entries: [
      { name: 'General', to: `/org/${slug}/general`, route: '/org/$slug/general' },
      { name: 'Security', to: `/org/${slug}/security`, route: '/org/$slug/security', platformOnly },
      { name: 'Single sign-on', to: `/org/${slug}/sso`, route: '/org/$slug/sso', platformOnly },
      { name: 'OAuth apps', to: `/org/${slug}/apps`, route: '/org/$slug/apps', platformOnly },
    ],
  },
  {
    title: 'Records',
    entries: [
      { name: 'Audit log', to: `/org/${slug}/audit`, route: '/org/$slug/audit' },
      {
        name: 'Audit log drains',
        to: `/org/${slug}/audit-log-drains`,
        route: '/org/$slug/audit-log-drains',
      },
      {
        name: 'Legal documents',
        to: `/org/${slug}/documents`,
        route: '/org/$slug/documents',
        platformOnly,
      },
    ],
  },
]

export const databasePages = (ref: string) => [
  area(ref, 'Structure', [
    ['Schema visualizer', 'database/schemas'],
    ['Tables', 'database/tables'],
    ['Functions', 'database/functions'],
    ['Triggers', 'database/triggers'],
    ['Webhooks', 'integrations/webhooks', 'away'],
    ['Types', 'database/types'],
    ['Extensions', 'database/extensions'],
    ['Indexes', 'database/indexes'],
    ['Publications', 'database/publications'],
    ['Migrations', 'database/migrations'],
  ]),
  area(ref, 'Access', [
    ['Roles', 'database/roles'],
    ['Policies', 'database/policies'],
    ['Column privileges', 'database/column-privileges'],
  ]),
  withLogs(
    area(ref, 'Platform', [
      ['Backups', 'database/backups'],
      ['Running queries', 'database/queries'],
      ['GraphiQL', 'database/graphiql'],
      ['Wrappers', 'integrations/wrappers', 'away'],
      ['Replication', 'database/replication'],
      ['Settings', 'database/settings'],
    ]),
    ref,
    'postgres_logs',
  ),
]

export const authPages = (ref: string) => [
  withLogs(
    area(ref, undefined, [
      ['Overview', 'auth/overview'],
      ['Users', 'auth/users'],
      ['Policies', 'auth/policies'],
      ['Audit logs', 'auth/audit-logs'],
    ]),
    ref,
    'auth_logs',
  ),
  area(ref, 'Configuration', [
    ['Sign in / Providers', 'auth/providers'],
    ['Third-party auth', 'auth/third-party'],
    ['Multi-factor', 'auth/mfa'],
    ['Email templates', 'auth/templates'],
    ['SMTP settings', 'auth/smtp'],
    ['Sessions', 'auth/sessions'],
    ['Passkeys', 'auth/passkeys'],
    ['OAuth server', 'auth/oauth-server'],
    ['Attack protection', 'auth/protection'],
    ['Auth hooks', 'auth/hooks'],
    ['URL configuration', 'auth/url-configuration'],
    ['Rate limits', 'auth/rate-limits'],
    ['Performance', 'auth/performance'],
  ]),
]

export const functionPages = (ref: string) => [
  withLogs(
    area(ref, undefined, [
      ['Functions', 'functions'],
      ['Secrets', 'functions/secrets'],
    ]),
    ref,
    'function_logs',
  ),
]

export const realtimePages = (ref: string) => [
  withLogs(
    area(ref, undefined, [
      ['Inspector', 'realtime/inspector'],
      ['Tables', 'realtime/tables'],
      ['Policies', 'realtime/policies'],
      ['Settings', 'realtime/settings'],
    ]),
    ref,
    'realtime_logs',
  ),
]

export const integrationPages = (ref: string) => {
  const { entries } = area(ref, undefined, [
    ['All integrations', 'integrations'],
    ['Cron', 'integrations/cron'],
    ['Queues', 'integrations/queues'],
    ['Vault', 'integrations/vault'],
    ['Webhooks', 'integrations/webhooks'],
    ['Wrappers', 'integrations/wrappers'],
    ['GraphiQL', 'integrations/graphiql'],
  ])
  return [
    {
      entries: entries.map((entry) => ({
        ...entry,
        also: entry.to.replace(/integrations\/(\w+)$/, 'integrations/about/$1'),
      })),
    },
  ]
}

export const settingsPages = (ref: string) => [
  area(ref, undefined, [
    ['General', 'settings/general'],
    ['Compute and disk', 'settings/compute-and-disk', 'platform'],
    ['Infrastructure', 'settings/infrastructure', 'platform'],
    ['Custom domains', 'settings/custom-domains', 'platform'],
    ['Data API', 'settings/api'],
    ['API Keys', 'settings/api-keys'],
    ['JWT Keys', 'settings/jwt'],
    ['Log drains', 'settings/log-drains'],
  ]),
]

export const advisorPages = (ref: string) => [
  area(ref, undefined, [
    ['Security advisor', 'advisors/security'],
    ['Performance advisor', 'advisors/performance'],
    ['Query performance', 'advisors/query-performance'],
  ]),
]

/** Only while the preview of rules is on. */
export const advisorRulePages = (ref: string) => [
  area(ref, 'Rules', [
    ['Security rules', 'advisors/rules/security'],
    ['Performance rules', 'advisors/rules/performance'],
  ]),
]

/** The pages of a person's own account, in the second column. */
export const accountPages = [
  {
    entries: [
      { name: 'Profile', to: '/account/me', route: '/account/me' },
      { name: 'Preferences', to: '/account/preferences', route: '/account/preferences' },
      { name: 'Security', to: '/account/security', route: '/account/security' },
      { name: 'Access tokens', to: '/account/tokens', route: '/account/tokens' },
      { name: 'Authorized apps', to: '/account/apps', route: '/account/apps', platformOnly },
      { name: 'Audit log', to: '/account/audit', route: '/account/audit' },
    ],
  },
]

/** The pages of whoever runs the installation. */
export const operatorPages = [
  {
    entries: [
      { name: 'Health', to: '/operator/health', route: '/operator/health' },
      { name: 'Logs', to: '/operator/logs', route: '/operator/logs' },
      { name: 'Alerts', to: '/operator/alerts', route: '/operator/alerts' },
    ],
  },
]

function projectPlaces(ref: string): Place[] {
  const base = `/project/${ref}`
  return [
    { name: 'Home', icon: House, to: base, route: '/project/$ref', exact: true, keys: 'g h' },
    {
      name: 'Table editor',
      icon: Table2,
      to: `${base}/editor`,
      route: '/project/$ref/editor',
      keys: 'g t',
    },
    {
      name: 'SQL editor',
      icon: SquareTerminal,
      to: `${base}/sql`,
      route: '/project/$ref/sql',
      keys: 'g s',
    },
    {
      name: 'Database',
      icon: Database,
      to: `${base}/database`,
      route: '/project/$ref/database',
      keys: 'g d',
    },
    {
      name: 'Authentication',
      icon: LockKeyhole,
      to: `${base}/auth`,
      route: '/project/$ref/auth',
      keys: 'g u',
    },
    {
      name: 'Storage',
      icon: Archive,
      to: `${base}/storage`,
      route: '/project/$ref/storage',
      keys: 'g b',
    },
    {
      name: 'Edge functions',
      icon: Zap,
      to: `${base}/functions`,
      route: '/project/$ref/functions',
      keys: 'g f',
    },
    {
      name: 'Realtime',
      icon: Radio,
      to: `${base}/realtime`,
      route: '/project/$ref/realtime',
      keys: 'g r',
    },
    {
      name: 'Advisors',
      icon: Lightbulb,
      to: `${base}/advisors`,
      route: '/project/$ref/advisors',
      keys: 'g a',
    },
    {
      name: 'Reports',
      icon: ChartNoAxesColumn,
      to: `${base}/reports`,
      route: '/project/$ref/reports',
      keys: 'g p',
    },
    {
      name: 'Logs',
      icon: ScrollText,
      to: `${base}/logs`,
      route: '/project/$ref/logs/$source',
      keys: 'g l',
    },
    {
      name: 'API docs',
      icon: BookOpen,
      to: `${base}/api`,
      route: '/project/$ref/api',
      keys: 'g i',
    },
    {
      name: 'Integrations',
      icon: Blocks,
      to: `${base}/integrations`,
      route: '/project/$ref/integrations',
      keys: 'g n',
    },
    {
      name: 'Project settings',
      icon: Settings,
      to: `${base}/settings`,
      route: '/project/$ref/settings',
      keys: 'g ,',
      last: true,
    },
  ]
}
