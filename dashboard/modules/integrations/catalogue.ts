import { Braces, Clock, ListOrdered, Network, Plug, Vault, Webhook } from 'lucide-react'
import type { IconType } from '../../ui/Icon.tsx'

export type IntegrationKind = 'module' | 'api' | 'wrapper'

export type Integration = {
  /** The last part of its addresses. */
  id: string
  name: string
  kind: IntegrationKind
  icon: IconType
  /** One line, for the catalogue. */
  line: string
  /** What it does and what to know before it is used: a paragraph each. */
  about: readonly string[]
  /** What the database needs for it; without any it is always on. */
  extensions: readonly string[]
  /** It is enabled by an endpoint of its own, which creates what it needs. */
  enabling?: 'webhooks'
  /** The page on which it is used: its name in the strip of tabs, and where it is below the project. */
  page: { name: string; path: string }
  /** How it is used in SQL. */
  sql?: string
}

/** What works on a project's database beside its services. What this build has no page for is left out where it is shown. */
export const integrations: readonly Integration[] = [
  {
    id: 'cron',
    name: 'Cron',
    kind: 'module',
    icon: Clock,
    line: 'Run SQL, functions and HTTP requests on a schedule.',
    about: [
      'A job runs SQL at fixed times: every few seconds, every night, on the last day of the month. Jobs are rows of cron.job, so migrations can create them with cron.schedule.',
      'Each job runs once per tick, as the role that scheduled it, in the time zone of the database. Every run is kept with its result and its duration. A paused project runs nothing, and runs that were missed are not made up for.',
    ],
    extensions: ['pg_cron'],
    page: { name: 'Jobs', path: 'integrations/cron' },
    sql: `select cron.schedule('delete-old-sessions', '0 3 * * *', $$
  delete from sessions where expires_at < now()
$$);`,
  },
  {
    id: 'queues',
    name: 'Queues',
    kind: 'module',
    icon: ListOrdered,
    line: 'Message queues in Postgres, with guaranteed delivery.',
    about: [
      'A queue keeps messages until a worker has read and deleted them. A message that was read stays invisible for as long as its reader asked for; if the reader fails, it becomes visible again and another worker gets it.',
      'Queues are tables: they are backed up with the database, a message can be sent in the same transaction as the change it is about, and row level security decides who may send and read.',
    ],
    extensions: ['pgmq'],
    page: { name: 'Queues', path: 'integrations/queues' },
    sql: `select pgmq.create('emails');
select pgmq.send('emails', '{"to": "ada@example.com"}');
select * from pgmq.read('emails', vt => 30, qty => 1);`,
  },
  {
    id: 'vault',
    name: 'Vault',
    kind: 'module',
    icon: Vault,
    line: 'Store secrets encrypted, and read them in SQL.',
    about: [
      'The vault keeps passwords, API keys and other secrets encrypted in a table. The key lies outside the database, so a dump or a backup alone does not open them.',
      'Whoever may read vault.decrypted_secrets reads the secrets in plain text: by default that is postgres and service_role, never anon or authenticated.',
    ],
    extensions: ['supabase_vault'],
    page: { name: 'Secrets', path: 'integrations/vault' },
    sql: `select vault.create_secret('s3cr3t', 'payment_key');
select decrypted_secret from vault.decrypted_secrets where name = 'payment_key';`,
  },
  {
    id: 'webhooks',
    name: 'Webhooks',
    kind: 'module',
    icon: Webhook,
    line: 'Call a URL or an edge function when rows change.',
    about: [
      'A webhook sends an HTTP request when rows of a table are inserted, updated or deleted. The request is queued in the same transaction, so it is sent if the change is committed and never otherwise, and the change does not wait for the answer.',
      'Each call is kept with every attempt. Failed calls are tried again as often as the webhook says, then kept as dead letters until somebody replays them. Calls can be signed, paused, and kept in order.',
    ],
    extensions: ['pg_net'],
    enabling: 'webhooks',
    page: { name: 'Webhooks', path: 'integrations/webhooks' },
  },
  {
    id: 'wrappers',
    name: 'Wrappers',
    kind: 'wrapper',
    icon: Plug,
    line: 'Query tables of other Postgres servers as if they were in this database.',
    about: [
      'A foreign server is another database that this one reads and writes through foreign tables. Queries can join them with local tables; conditions and sorting are sent to the other server where that is possible.',
      'The other server has to be reachable from this machine and has to ask for a password. The password of a login lies in this database, where its owner can read it.',
    ],
    extensions: ['postgres_fdw'],
    page: { name: 'Servers', path: 'integrations/wrappers' },
  },
  {
    id: 'graphiql',
    name: 'GraphiQL',
    kind: 'api',
    icon: Braces,
    line: 'Write and run GraphQL queries against this project.',
    about: [
      'Every table that a role may read is a GraphQL type, with filters, sorting, pages and mutations. GraphiQL runs queries as any role, so that row level security can be tried out.',
    ],
    extensions: [],
    page: { name: 'GraphiQL', path: 'integrations/graphiql' },
  },
  {
    id: 'data-api',
    name: 'Data API',
    kind: 'api',
    icon: Network,
    line: 'REST over the tables and functions of the schemas you expose.',
    about: [
      'The Data API turns each exposed schema into REST: tables and views are read and changed with filters in the address, functions are called with POST. Client libraries speak it.',
      'Its settings choose the exposed schemas, the search path and how many rows one answer may have.',
    ],
    extensions: [],
    page: { name: 'Settings', path: 'settings/api' },
  },
]

export const kindNames: Record<IntegrationKind, string> = {
  module: 'Postgres modules',
  api: 'APIs',
  wrapper: 'Wrappers',
}

/** Where an integration is used. */
export const pageAddress = (projectRef: string, { page }: Pick<Integration, 'page'>): string =>
  `/project/${projectRef}/${page.path}`

/** Where it says what it is. */
export const aboutAddress = (projectRef: string, { id }: Pick<Integration, 'id'>): string =>
  `/project/${projectRef}/integrations/about/${id}`

/** The integration whose page or overview an address of a project is: `/project/{ref}/integrations/cron` and what lies below it. */
export function integrationAt(pathname: string): Integration | undefined {
  const [, , , area, first, second] = pathname.split('/')
  if (area !== 'integrations') return undefined
  const id = first === 'about' ? second : first
  return integrations.find((one) => one.id === id)
}
