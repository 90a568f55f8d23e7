import { z } from 'zod'
import { UsageReport } from './billing/usage-metrics.ts'
import { endpoint } from './endpoint.ts'
import { KeyUse, ProjectConnection } from './internal.ts'
import { LogDrainOrder, LogDrainReport } from './observability/log-drain-shapes.ts'
import { ProjectMetrics } from './observability/project-metrics.ts'
import { ListenPort } from './operations/listeners.ts'
import { AuditEntry } from './organizations/audit.ts'
import { RequestCount } from './projects/project-home.ts'
import { StorageJob } from './storage/storage-jobs.ts'
import { StorageUse } from './storage/storage-use.ts'
import { ProjectRef, wholeNumber } from './values.ts'

export const WantedListener = z.object({ ref: ProjectRef, port: ListenPort })
export type WantedListener = z.infer<typeof WantedListener>
/** The same as the data plane has it; `problem` says why the port is not open. */
export const ListenerState = WantedListener.extend({ problem: z.string().nullable() })
export type ListenerState = z.infer<typeof ListenerState>

/** A name of its own by which requests reach a project, or one of the installation itself. */
export const WantedHostname = z.object({
  hostname: z.string().min(1).max(253),
  /** Null: it is one of the installation's own, which says by itself what is reached there. */
  ref: ProjectRef.nullable(),
  /** Which certificate the name has now, where it has one; another value is another certificate. */
  certificate: z.string().max(64).optional(),
})
export type WantedHostname = z.infer<typeof WantedHostname>

/** A certificate with those between it and its authority behind it, and its key; both PEM. */
export const HostnameKeyPair = z.object({
  version: z.string(),
  certificate: z.string(),
  key: z.string(),
})
export type HostnameKeyPair = z.infer<typeof HostnameKeyPair>
/** What an authority chooses to be asked for (RFC 8555, section 8.1). */
export const AcmeToken = z.string().regex(/^[A-Za-z0-9_-]{16,256}$/)

/** A port at which people reach the database of a project. */
export const DatabasePort = z.object({
  ref: ProjectRef,
  /** Also in the name of the socket. */
  port: z.number().int().min(1).max(65_535),
  /** The folder of the server's socket. */
  host: z.string().startsWith('/'),
  /** Connections at once at most: as many as the server itself takes, those of the platform among them. */
  connections: z.number().int().min(1),
  /** Of the pooler: connections to the server that its clients share, and clients at once. */
  pool: z.object({ size: z.number().int().min(1), clients: z.number().int().min(1) }),
  /** From where (CIDR); null: from everywhere. */
  networks: z.array(z.string()).nullable(),
  /** Only encrypted connections are taken. */
  ssl_enforced: z.boolean(),
  /** When somebody last restarted the pooler of this project; undefined: never. Another value is another restart. */
  restarted: z.string().optional(),
  /** Where people resume the project while it is paused and no server runs; null: one does, or is being started. */
  paused: z.url().nullable(),
  /** Read replicas that can be reached, by what the pooler calls them (`replicaTenant`), and where their sockets are. */
  replicas: z
    .array(
      z.object({ tenant: z.string(), host: z.string().startsWith('/'), port: z.number().int() }),
    )
    .default([]),
})
export type DatabasePort = z.infer<typeof DatabasePort>
/** The same as the data plane has it; `problem` says why the port is not open. */
export const DatabasePortState = DatabasePort.pick({
  ref: true,
  port: true,
  networks: true,
  ssl_enforced: true,
}).extend({
  problem: z.string().nullable(),
})
export type DatabasePortState = z.infer<typeof DatabasePortState>

/** What our own programs ask of the control plane; each call carries the internal token. */
/** A project whose database has jobs. */
export const CronProject = z.object({
  ref: ProjectRef,
  /** How long its plan keeps what is known of their runs. */
  run_days: z.number(),
})
export type CronProject = z.infer<typeof CronProject>

export const internal = {
  project: endpoint('internal.project', 'GET /internal/projects/:ref', {
    needs: 'internal',
    input: z.object({ ref: ProjectRef }),
    returns: ProjectConnection,
  }),
  /** A line of JSON (ProjectChange) for each change, an empty line every few seconds; it does not end by itself. */
  changes: endpoint('internal.changes', 'GET /internal/changes', {
    needs: 'internal',
    input: z.object({}),
    returns: z.unknown(),
    raw: true,
  }),
  /** The projects that have a port of their own. */
  listeners: endpoint('internal.listeners', 'GET /internal/listeners', {
    needs: 'internal',
    input: z.object({}),
    returns: z.array(WantedListener),
  }),
  /** The custom hostnames and vanity subdomains by which requests reach projects now, and the installation's own names that it gets certificates for. */
  hostnames: endpoint('internal.hostnames', 'GET /internal/hostnames', {
    needs: 'internal',
    input: z.object({}),
    returns: z.array(WantedHostname),
  }),
  /** The certificate of one of these names, and its key; 404 where it has none. */
  certificate: endpoint('internal.certificate', 'GET /internal/certificates/:hostname', {
    needs: 'internal',
    input: z.object({ hostname: z.string().min(1).max(253) }),
    returns: HostnameKeyPair,
  }),
  /** What a certificate authority is to find at a name below `/.well-known/acme-challenge/`; null: nothing. */
  acmeChallenge: endpoint('internal.acme-challenge', 'GET /internal/acme-challenges/:token', {
    needs: 'internal',
    input: z.object({ token: AcmeToken, hostname: z.string().min(1).max(253) }),
    returns: z.object({ answer: z.string().nullable() }),
  }),
  /** The ports of projects whose database has an address; none where the servers are somebody else's. */
  databasePorts: endpoint('internal.database-ports', 'GET /internal/database-ports', {
    needs: 'internal',
    input: z.object({}),
    returns: z.array(DatabasePort),
  }),
  /**
   * What the server keeps of the password of a role that may sign in now: a SCRAM-SHA-256 verifier; `other`: something else, which is
   * not told; null: there is no such role or project, it has no password, or it is none of the customer's.
   */
  passwordVerifier: endpoint(
    'internal.password-verifier',
    'GET /internal/projects/:ref/password-verifier',
    {
      needs: 'internal',
      input: z.object({ ref: ProjectRef, role: z.string().min(1).max(255) }),
      returns: z.object({ verifier: z.string().nullable() }),
    },
  ),
  /** The projects whose webhooks are enabled, or whose database has pg_net. */
  webhooks: endpoint('internal.webhooks', 'GET /internal/webhooks', {
    needs: 'internal',
    input: z.object({}),
    returns: z.array(ProjectRef),
  }),
  /** The projects whose database has pg_net. */
  net: endpoint('internal.net', 'GET /internal/net', {
    needs: 'internal',
    input: z.object({}),
    returns: z.array(ProjectRef),
  }),
  /** A database has it now, or has it no more; an unknown project is passed over. */
  netUse: endpoint('internal.net-use', 'POST /internal/net', {
    needs: 'internal',
    input: z.object({ ref: ProjectRef, used: z.boolean() }),
    returns: z.object({ changed: z.boolean() }),
  }),
  /** The secrets that sign calls of its webhooks now, by their ids. */
  webhookKeys: endpoint('internal.webhook-keys', 'GET /internal/webhook-keys/:ref', {
    needs: 'internal',
    input: z.object({ ref: ProjectRef }),
    returns: z.record(z.string(), z.array(z.string())),
  }),
  /** The projects whose database has jobs to be run by a schedule. */
  cron: endpoint('internal.cron', 'GET /internal/cron', {
    needs: 'internal',
    input: z.object({}),
    returns: z.array(CronProject),
  }),
  /** A database has them now, or has them no more; an unknown project is passed over. */
  cronUse: endpoint('internal.cron-use', 'POST /internal/cron', {
    needs: 'internal',
    input: z.object({ ref: ProjectRef, used: z.boolean() }),
    returns: z.object({ changed: z.boolean() }),
  }),
  /** A mail that a service would have sent; kept in the local mailbox. */
  mail: endpoint('internal.mail', 'POST /internal/mails', {
    needs: 'internal',
    input: z.object({
      tenant: z.string().max(64),
      recipient: z.string().max(254),
      subject: z.string().max(1000),
      text: z.string().max(200_000),
      html: z.string().max(400_000),
    }),
    returns: z.object({ kept: z.boolean() }),
  }),
  /** Which keys were shown since the last time: when each was last, in milliseconds since 1970. Unknown ones are passed over. */
  keyUses: endpoint('internal.key-uses', 'POST /internal/key-uses', {
    needs: 'internal',
    input: z.object({ uses: z.array(KeyUse).min(1).max(1000) }),
    returns: z.object({ kept: z.number() }),
  }),
  /** What the services were asked since the last time. Counts of one minute may come in several parts; they add up. */
  requestCounts: endpoint('internal.request-counts', 'POST /internal/request-counts', {
    needs: 'internal',
    input: z.object({ counts: z.array(RequestCount).min(1).max(1000) }),
    returns: z.object({ kept: z.number() }),
  }),
  /** A bucket is emptied by whoever holds a secret key: the job goes on by itself. The answer may be one that ran before. */
  emptyBucket: endpoint('internal.empty-bucket', 'POST /internal/storage-jobs', {
    needs: 'internal',
    status: 201,
    input: z.object({ ref: ProjectRef, bucket: z.string().min(1).max(100) }),
    returns: StorageJob,
  }),
  /** What storage gave away since the last time; it adds up. */
  storageUse: endpoint('internal.storage-use', 'POST /internal/storage-use', {
    needs: 'internal',
    input: z.object({ uses: z.array(StorageUse).min(1).max(1000) }),
    returns: z.object({ kept: z.number() }),
  }),
  /** What is known of a project for who scrapes its metrics. */
  metrics: endpoint('internal.metrics', 'GET /internal/metrics/:ref', {
    needs: 'internal',
    input: z.object({ ref: ProjectRef }),
    returns: ProjectMetrics,
  }),
  /**
   * What a process has counted, as absolute values: sent again it changes nothing. `refused` were too old, or of a time to
   * come; unknown projects are passed over.
   */
  usage: endpoint('internal.usage', 'POST /internal/usage', {
    needs: 'internal',
    input: UsageReport,
    returns: z.object({ kept: z.number(), refused: z.number() }),
  }),
  /** Every drain that sends, with its secrets; those of projects that are paused too, because entries may still wait. */
  logDrains: endpoint('internal.log-drains', 'GET /internal/log-drains', {
    needs: 'internal',
    input: z.object({}),
    returns: z.array(LogDrainOrder),
  }),
  /** What became of what was sent. Unknown drains are passed over. */
  logDrainReports: endpoint('internal.log-drain-reports', 'POST /internal/log-drains', {
    needs: 'internal',
    input: z.object({ reports: z.array(LogDrainReport).min(1).max(1000) }),
    returns: z.object({ kept: z.number() }),
  }),
  /** Entries of an organization's audit log after the one with this id, oldest first; the first page with `since` only. */
  auditEntries: endpoint('internal.audit-entries', 'GET /internal/audit-entries/:organization', {
    needs: 'internal',
    input: z.object({
      organization: wholeNumber(1, Number.MAX_SAFE_INTEGER),
      /** Id of an entry. */
      after: z
        .string()
        .regex(/^\d{1,18}$/)
        .optional(),
      /** Milliseconds since 1970. */
      since: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
      limit: wholeNumber(1, 500).default(250),
    }),
    returns: z.object({ entries: z.array(AuditEntry) }),
  }),
}
