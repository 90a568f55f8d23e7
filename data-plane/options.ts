import type { KeyUse } from '#contract/internal'
import type { RequestCount } from '#contract/projects/project-home'
import type { StorageUse } from '#contract/storage/storage-use'
import type { Log } from '#kit/log'
import type { SharedCounts } from './auth/sign-in/rate-limits.ts'
import type { CronSource } from './cron/cron.ts'
import type { CronTiming } from './cron/scheduler.ts'
import type { FunctionOptions } from './functions/functions.ts'
import type { HostnameSource } from './gateway/hostnames.ts'
import type { HttpsOptions } from './gateway/https/source.ts'
import type { ListenerSource } from './gateway/listeners.ts'
import type { LogDrainsOptions } from './log-drains/log-drains.ts'
import type { LogStore } from './logs/log-store.ts'
import type { MetricsSource } from './metrics/source.ts'
import type { ProjectMail } from './mount/project-auth.ts'
import type { ImportOptions } from './pg-meta/rows/import/row-imports.ts'
import type { DatabasePortSource } from './postgres-gateway/postgres-gateway.ts'
import type { SharedPorts } from './postgres-gateway/shared/shared-gateway.ts'
import type { PasswordSource } from './postgres-gateway/shared/verifiers.ts'
import type { Encryption } from './postgres-gateway/tls/encryption.ts'
import type { Directory } from './projects/directory.ts'
import type { Timing } from './realtime/service.ts'
import type { Backend } from './storage/backends/backend.ts'
import type { Meter } from './usage/meter.ts'
import type { SenderOptions } from './webhooks/sender.ts'
import type { WebhookSource } from './webhooks/source.ts'

export type StorageOptions = {
  backend: Backend
  /** Bytes of one object at most. */
  largest: number
  /** Has a bucket of a project emptied by a job. @throws StorageError when there are too many already */
  orderEmptying?: ((ref: string, bucket: string) => Promise<void>) | undefined
  /** Takes over for good what projects' storage has given away. */
  keepUse?: ((uses: StorageUse[]) => Promise<void>) | undefined
}

export type CronOptions = {
  source: CronSource
  /** Takes over whether the database of a project has jobs to be run. */
  keepUse: (ref: string, used: boolean) => Promise<void>
  timing?: CronTiming
  /** For tests: milliseconds since 1970. */
  now?: () => number
}

export type LogDrainOptions = Pick<
  LogDrainsOptions,
  'source' | 'spool' | 'folder' | 'maxWaitingBytes' | 'allowed' | 'timing' | 'now'
>

export type PoolerOptions = { ports: SharedPorts; passwordOf: PasswordSource }

export type WebhookOptions = {
  source: WebhookSource
  /** A database has pg_net now, or has it no more. */
  keepNetUse: (ref: string, used: boolean) => Promise<void>
  timing?: SenderOptions['timing']
}

/** What whoever starts a data plane decides: where it learns of projects, what it hands on, and which services it has. */
export type DataPlaneOptions = {
  directory: Directory
  /** Opens what lies below /internal, which only our own programs call. */
  internalToken: string
  smtpUrl?: string | undefined
  mailFrom: string
  /** Keeps a mail in the local mailbox; used while there is no mail server. */
  keepMail: (mail: ProjectMail) => Promise<void>
  /** Where limits of the auth service are counted together with other data planes; undefined while there is none. */
  sharedCounts?: (() => SharedCounts | undefined) | undefined
  /** Template of project addresses with `{ref}`; with the ref in the host name, requests are told apart by it. */
  projectUrl?: string
  /** Whose X-Forwarded-* headers are believed; none by default. */
  trustedProxies?: string[]
  /** `folder` is where files of imports wait until all of them is there. */
  imports: { folder: string } & Omit<ImportOptions, 'spool' | 'secret'>
  /** Where what projects store lies, and how large one object may be; without it there is no storage service. */
  storage?: StorageOptions | undefined
  /** Edge functions; without it there are none. */
  functions?: FunctionOptions | undefined
  /** Which projects have a port of their own; without it none has. */
  listeners?: ListenerSource | undefined
  /** Which names projects have of their own; without it none has. */
  hostnames?: HostnameSource | undefined
  /** HTTPS without a proxy; without it there is none. */
  https?: HttpsOptions | undefined
  /** On which ports people reach the databases of projects; without it there are none. */
  databasePorts?: DatabasePortSource | undefined
  /** With what connections to databases are encrypted; without it none can be. It is closed with the services. */
  encryption?: Encryption | undefined
  /** The ports that all projects share, and who tells what a role's password is; without it there are none. */
  pooler?: PoolerOptions | undefined
  /** Whose webhooks are enabled; without it none are sent. */
  webhooks?: WebhookOptions | undefined
  /** Which databases have jobs to be run by a schedule; without it none are run. */
  cron?: CronOptions | undefined
  /** Takes over when opaque keys were shown last; without it nobody notes that. */
  keepKeyUses?: ((uses: KeyUse[]) => Promise<void>) | undefined
  /** Takes over how much the services were asked; without it nobody counts. */
  keepCounts?: ((counts: RequestCount[]) => Promise<void>) | undefined
  /** Counts what projects use; without it nobody does. It is closed with the services. */
  meter?: Meter | undefined
  /** For tests: milliseconds between two looks at answers and sockets that go on. */
  egressEveryMs?: number | undefined
  /** Where entries of projects' logs are kept; without it none are written. */
  logs?: LogStore | undefined
  /** Where logs are sent to; without it there are no drains. */
  logDrains?: LogDrainOptions | undefined
  /** What is known of projects for who scrapes their metrics; without it nobody can. */
  metrics?: MetricsSource | undefined
  log: Log
  /** For tests: the mail servers and sign-in providers that projects name may be on this machine. */
  reachesLoopback?: boolean | undefined
  /** Milliseconds that a request waits for a project which is just being started. */
  openTimeoutMs?: number
  /** Milliseconds without a request after which a project's connections are closed. */
  idleMs?: number
  /** The data API asks no read replica that may be further behind, in milliseconds; 10 seconds unless told. */
  replicaLagMs?: number | undefined
  /** For tests: other than the usual waits of the realtime service. */
  realtimeTiming?: Partial<Timing> | undefined
  /** Where processes that serve the same projects tell each other what happens; by the projects' databases unless given. */
  natsUrl?: string | undefined
  /** Bytes of WAL that a server may keep for the realtime service; 256 MB unless told. */
  slotMostLag?: number | undefined
}
