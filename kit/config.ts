import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { environments } from '#contract/projects/cloud-providers'
import { modes, selfHostedWorld } from '#contract/operations/platform-only'
import { disableableFeatures } from '#contract/features'
import { billingEnvironment, billingProblem, billingSettings } from './config/config-billing.ts'
import {
  httpsEnvironment,
  httpsNamesProblem,
  httpsProblem,
  httpsSettings,
} from './config/config-https.ts'
import {
  kubernetesEnvironment,
  kubernetesProblem,
  kubernetesSettings,
} from './config/config-kubernetes.ts'
import { customContent, imageHostsOf } from './config/config-content.ts'
import { allowedNetworks, networksEnvironment } from './config/config-networks.ts'
import { selfHostedProblem } from './config/config-self-hosted.ts'
import { storageBucket, storageEnvironment, storageProblem } from './config/config-storage.ts'
import { signInEnvironment, signInProviders } from './config/config-sign-in.ts'

const port = z.coerce.number().int().min(0).max(65535)
const poolerPort = z
  .string()
  .refine(
    (value) => value === 'off' || (/^\d{1,5}$/.test(value) && Number(value) <= 65_535),
    'must be a port, or off',
  )
const portOrOff = (value: string) => (value === 'off' ? undefined : Number(value))
const listOf = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  )
}

/** `192.0.2.1`, `192.0.2.1:53`, `[2001:db8::1]:53`. */
function isAddressAndPort(text: string): boolean {
  const [, inBrackets, plain = '', port = '53'] =
    /^(?:\[([^\]]+)\]|([^:]+|[^:]*:[^:]*:.*?))(?::(\d{1,5}))?$/.exec(text) ?? []
  return isIP(inBrackets ?? plain) !== 0 && Number(port) > 0 && Number(port) <= 65_535
}

const features = z
  .string()
  .refine((value) => listOf(value).every((f) => disableableFeatures.has(f)), {
    error: ({ input }) =>
      `knows no feature ${listOf(String(input))
        .filter((f) => !disableableFeatures.has(f))
        .join(', ')}`,
  })

const hasProtocol = (value: string, protocols: string[]) =>
  URL.canParse(value) && protocols.includes(new URL(value).protocol)
const urlOf = (...protocols: string[]) =>
  z.string().refine((value) => hasProtocol(value, protocols), {
    message: `must start with ${protocols.join('// or ')}//`,
  })

/** In the place of an agent's address: the databases of projects run in a Kubernetes cluster. */
const inCluster = 'kubernetes'

/** Every setting of the platform, by the name of its environment variable. docs/build/settings-guide.ts explains each. */
export const Environment = z.object({
  PORT: port.default(8000),
  PROJECT_PORT: port.default(8001),
  HOST: z.string().min(1).default('127.0.0.1'),
  PLINTH_HOME: z.string().min(1).default('.plinth'),
  PLINTH_MODE: z.enum(modes).default('platform'),
  DATABASE_URL: urlOf('postgres:', 'postgresql:').optional(),
  DEFAULT_PROJECT_NAME: z.string().trim().min(1).max(64).default(selfHostedWorld.projectName),
  PLINTH_ADMIN_EMAIL: z.email().default('admin@example.com'),
  PLINTH_URL: urlOf('http:', 'https:').optional(),
  PLINTH_PROJECT_URL: z
    .string()
    .regex(/^https?:\/\/\S+$/, 'must start with http:// or https://')
    .refine((value) => value.includes('{ref}'), 'must contain {ref}')
    .optional(),
  PLINTH_CUSTOM_HOSTNAME_TARGET: z
    .string()
    .regex(/^(?=.{1,253}$)[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i, 'must be a host name')
    .optional(),
  PLINTH_DNS_SERVERS: z
    .string()
    .default('')
    .refine(
      (value) => listOf(value).every(isAddressAndPort),
      'must be addresses, with a port where it is not 53, and with commas',
    ),
  PLINTH_MASTER_KEY: z.string().optional(),
  PLINTH_INTERNAL_TOKEN: z.string().min(32).optional(),
  PLINTH_CONTROL_PLANE: urlOf('http:', 'https:').optional(),
  PLINTH_DATA_PLANE: urlOf('http:', 'https:').optional(),
  PLINTH_COMPUTE: z
    .string()
    .refine((value) => value === inCluster || hasProtocol(value, ['http:', 'https:']), {
      message: `must be ${inCluster}, or start with http:// or https://`,
    })
    .optional(),
  PLINTH_COMPUTE_TOKEN: z.string().min(32).optional(),
  PLINTH_COMPUTE_PORT: port.default(8002),
  PLINTH_BACKUPS: z.string().min(1).optional(),
  PLINTH_POSTGRES_DIR: z.string().min(1).optional(),
  PLINTH_DATABASE_PORTS: z
    .string()
    .regex(/^\d{2,5}-\d{2,5}$/, 'must be two ports joined by a hyphen')
    .default('54400-59999'),
  PLINTH_POOLER_HOST: z.string().min(1).default('127.0.0.1'),
  PLINTH_POOLER_SESSION_PORT: poolerPort.default('5433'),
  PLINTH_POOLER_TRANSACTION_PORT: poolerPort.default('6543'),
  PLINTH_DATABASE_CERTIFICATE: z.string().min(1).optional(),
  PLINTH_DATABASE_KEY: z.string().min(1).optional(),
  PLINTH_LISTEN_PORTS: z
    .string()
    .regex(/^(?:\d{4,5}-\d{4,5}|off)$/, 'must be two ports joined by a hyphen, or off')
    .optional(),
  PLINTH_ALLOWED_ORIGINS: z.string().default(''),
  PLINTH_TRUSTED_PROXIES: z
    .string()
    .default('')
    .refine((value) => listOf(value).every(isAddressOrRange), 'must be addresses or ranges'),
  PLINTH_RATE_LIMIT: z.coerce.number().int().min(1).default(1200),
  PLATFORM_DATABASE_URL: urlOf('postgres:', 'postgresql:').optional(),
  SMTP_URL: urlOf('smtp:', 'smtps:').optional(),
  NATS_URL: urlOf('nats:', 'tls:').optional(),
  SUPPORT_EMAIL: z.email().optional(),
  PLINTH_DISCUSSIONS_URL: urlOf('http:', 'https:').optional(),
  PLINTH_IMAGE_HOSTS: z
    .string()
    .default('')
    .refine(
      (value) => listOf(value).every((host) => /^[a-z0-9.-]+(?::\d{1,5})?$/i.test(host)),
      'must be host names, with commas',
    ),
  MAIL_FROM: z.string().min(3).default('Plinth <no-reply@localhost>'),
  OPENAI_API_KEY: z.string().optional(),
  OPENAI_BASE_URL: urlOf('http:', 'https:').optional(),
  OPENAI_MODEL: z
    .string()
    .default('gpt-5')
    .refine((value) => listOf(value).length > 0, 'must name a model'),
  ...signInEnvironment,
  ...billingEnvironment,
  PLINTH_DISABLED_FEATURES: features.optional(),
  DISABLED_FEATURES: features.optional(),
  PLINTH_DOCUMENTS: z.string().min(1).optional(),
  PLINTH_CUSTOM_CONTENT: z.string().min(1).optional(),
  PLINTH_ENVIRONMENT: z.enum(environments).default('production'),
  PLINTH_OUTPUT_PLUGINS: z
    .string()
    .default('')
    .refine(
      (value) => listOf(value).every((name) => /^[a-z_][a-z0-9_]{0,62}$/.test(name)),
      'must be names of libraries of the server, with commas',
    ),
  PLINTH_DISK_RESERVE: z.coerce.number().int().min(0).optional(),
  PLINTH_TRASH_DAYS: z.coerce.number().int().min(0).max(3650).default(30),
  PLINTH_LOGS: z.string().min(1).optional(),
  PLINTH_LOG_GB: z.coerce.number().positive().max(100_000).optional(),
  PLINTH_LARGEST_IMPORT: z.coerce.number().int().min(1).default(10_000_000_000),
  PLINTH_REPLICA_LAG: z.coerce.number().int().min(1).max(3600).default(10),
  ...storageEnvironment,
  ...networksEnvironment,
  ...kubernetesEnvironment,
  ...httpsEnvironment,
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

/** Of every setting, the name of its environment variable. */
export const settingNames: readonly string[] = Object.keys(Environment.shape)
export type SettingName = keyof typeof Environment.shape

export type Config = ReturnType<typeof readConfig>

export class ConfigError extends Error {}

const loopback = ['127.0.0.1', 'localhost', '::1', '[::1]']

/**
 * Reads the settings once. An empty variable counts as not set.
 * @throws ConfigError with one clear line for every bad value.
 */
export function readConfig(environment: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const result = Environment.safeParse(given)
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    throw new ConfigError(lines.join('\n'))
  }
  const e = result.data
  const [low = 0, high = 0] = e.PLINTH_DATABASE_PORTS.split('-').map(Number)
  if (low > high || high > 65535) {
    throw new ConfigError(
      'PLINTH_DATABASE_PORTS: the first port must not be above the second, nor either above 65535',
    )
  }
  const { PLINTH_DATABASE_CERTIFICATE: certificate, PLINTH_DATABASE_KEY: key } = e
  if ((certificate === undefined) !== (key === undefined)) {
    throw new ConfigError(
      'PLINTH_DATABASE_CERTIFICATE and PLINTH_DATABASE_KEY: one of them needs the other',
    )
  }
  const agent = e.PLINTH_COMPUTE === inCluster ? undefined : e.PLINTH_COMPUTE
  if (agent && !e.PLINTH_COMPUTE_TOKEN) {
    throw new ConfigError('PLINTH_COMPUTE: needs PLINTH_COMPUTE_TOKEN')
  }
  const problem =
    selfHostedProblem(e) ??
    billingProblem(e) ??
    storageProblem(e) ??
    httpsProblem(e) ??
    kubernetesProblem(e)
  if (problem) throw new ConfigError(problem)
  const found = customContent(
    e.PLINTH_CUSTOM_CONTENT && resolve(e.PLINTH_CUSTOM_CONTENT),
    e.PLINTH_ENVIRONMENT,
  )
  if ('problem' in found) throw new ConfigError(found.problem)
  const { content } = found
  const onLoopback = loopback.includes(e.HOST)
  const isOneMachine =
    !e.PLINTH_DATA_PLANE || loopback.includes(new URL(e.PLINTH_DATA_PLANE).hostname)
  const url = (e.PLINTH_URL ?? `http://localhost:${e.PORT}`).replace(/\/+$/, '')
  const projectUrl = (e.PLINTH_PROJECT_URL ?? `http://localhost:${e.PROJECT_PORT}/{ref}`).replace(
    /\/+$/,
    '',
  )
  const httpsRead = httpsSettings(e, url, projectUrl)
  const oneName = httpsNamesProblem(httpsRead)
  if (oneName) throw new ConfigError(oneName)
  return {
    port: e.PORT,
    projectPort: e.PROJECT_PORT,
    host: e.HOST,
    home: resolve(e.PLINTH_HOME),
    backups: resolve(e.PLINTH_BACKUPS ?? join(e.PLINTH_HOME, 'backups')),
    /** The folder of a PostgreSQL that projects run on; undefined: the one that came with Plinth. */
    postgresDir: e.PLINTH_POSTGRES_DIR && resolve(e.PLINTH_POSTGRES_DIR),
    mode: e.PLINTH_MODE,
    /** Of self-hosted mode: the database there is, the project it becomes, and who signs in first. */
    selfHosted:
      e.PLINTH_MODE === 'self-hosted' && e.DATABASE_URL
        ? {
            databaseUrl: e.DATABASE_URL,
            projectName: e.DEFAULT_PROJECT_NAME,
            adminEmail: e.PLINTH_ADMIN_EMAIL.toLowerCase(),
          }
        : undefined,
    url,
    projectUrl,
    ...httpsRead,
    /** Names of projects beside their refs. */
    domains: {
      target: e.PLINTH_CUSTOM_HOSTNAME_TARGET?.toLowerCase(),
      dnsServers: listOf(e.PLINTH_DNS_SERVERS),
    },
    controlPlaneUrl: e.PLINTH_CONTROL_PLANE ?? `http://127.0.0.1:${e.PORT}`,
    dataPlaneUrl: e.PLINTH_DATA_PLANE ?? `http://127.0.0.1:${e.PROJECT_PORT}`,
    /** The agent that runs the servers of projects, and where it listens; without `url` the control plane runs them itself. */
    compute: {
      url: agent?.replace(/\/+$/, ''),
      token: e.PLINTH_COMPUTE_TOKEN,
      port: e.PLINTH_COMPUTE_PORT,
    },
    /** Undefined: databases run on machines, not in a cluster. */
    kubernetes: e.PLINTH_COMPUTE === inCluster ? kubernetesSettings(e) : undefined,
    masterKey: e.PLINTH_MASTER_KEY,
    internalToken: e.PLINTH_INTERNAL_TOKEN,
    databasePorts: { low, high },
    /** The ports at which the databases of all projects are reached; undefined: none of that kind. */
    pooler: {
      host: e.PLINTH_POOLER_HOST,
      session: portOrOff(e.PLINTH_POOLER_SESSION_PORT),
      transaction: portOrOff(e.PLINTH_POOLER_TRANSACTION_PORT),
    },
    /** By which clients that connect to databases know the server, in place of the installation's own: files (PEM). */
    databaseCertificate:
      certificate !== undefined && key !== undefined
        ? { certificate: resolve(certificate), key: resolve(key) }
        : undefined,
    listenPorts: listenPorts(e.PLINTH_LISTEN_PORTS, { onLoopback, isOneMachine }),
    allowedOrigins: listOf(e.PLINTH_ALLOWED_ORIGINS),
    trustedProxies: listOf(e.PLINTH_TRUSTED_PROXIES),
    requestsPerMinute: e.PLINTH_RATE_LIMIT,
    platformDatabaseUrl: e.PLATFORM_DATABASE_URL,
    smtpUrl: e.SMTP_URL,
    natsUrl: e.NATS_URL,
    mailFrom: e.MAIL_FROM,
    discussionsUrl: e.PLINTH_DISCUSSIONS_URL,
    imageHosts: [...listOf(e.PLINTH_IMAGE_HOSTS.toLowerCase()), ...imageHostsOf(content)],
    environment: e.PLINTH_ENVIRONMENT,
    /** The operator's own words and links. */
    content,
    supportEmail: e.SUPPORT_EMAIL ?? `support@${new URL(url).hostname}`,
    /** A server of one's own may need no key. Undefined: the assistant says how to configure one. */
    model:
      e.OPENAI_API_KEY || e.OPENAI_BASE_URL
        ? {
            apiKey: e.OPENAI_API_KEY,
            baseUrl: (e.OPENAI_BASE_URL ?? 'https://api.openai.com/v1').replace(/\/+$/, ''),
            models: listOf(e.OPENAI_MODEL),
          }
        : undefined,
    billing: billingSettings(e),
    signInProviders: signInProviders(e),
    trustedSsoDomains: listOf(e.PLINTH_TRUSTED_SSO_DOMAINS.toLowerCase()),
    documents: e.PLINTH_DOCUMENTS && resolve(e.PLINTH_DOCUMENTS),
    /** The folder of projects' logs, which data planes of one machine may share; what drains have sent is noted beside it. */
    logs: resolve(e.PLINTH_LOGS ?? join(e.PLINTH_HOME, 'logs')),
    /** Bytes of all projects' logs; undefined: a tenth of the disk, and 20 GB at most. */
    largestLogs: e.PLINTH_LOG_GB && e.PLINTH_LOG_GB * 1024 ** 3,
    /** Bytes of one file that is read into a table. */
    largestImport: e.PLINTH_LARGEST_IMPORT,
    /** The data API asks no read replica that may be further behind, in milliseconds. */
    replicaLagMs: e.PLINTH_REPLICA_LAG * 1000,
    /** The folder of what projects store. */
    storage: e.PLINTH_STORAGE ? resolve(e.PLINTH_STORAGE) : join(resolve(e.PLINTH_HOME), 'storage'),
    /** The bucket that it lies in instead. */
    storageBucket: storageBucket(e),
    /** Bytes of one stored object. */
    largestUpload: e.PLINTH_LARGEST_UPLOAD,
    diskReserve: e.PLINTH_DISK_RESERVE,
    /** Days that deleted projects can be restored. */
    trashDays: e.PLINTH_TRASH_DAYS,
    /** That replication slots of customers may have, beside those that come with the server. */
    outputPlugins: listOf(e.PLINTH_OUTPUT_PLUGINS),
    /** Of the inner network, for edge functions. */
    allowedNetworks: allowedNetworks(e.PLINTH_FUNCTIONS_ALLOWED_NETWORKS),
    /** Of the inner network, for servers of projects. */
    databaseNetworks: allowedNetworks(e.PLINTH_DATABASES_ALLOWED_NETWORKS),
    /** Of the inner network, for log drains. */
    drainNetworks: allowedNetworks(e.PLINTH_LOG_DRAINS_ALLOWED_NETWORKS),
    logLevel: e.LOG_LEVEL,
    disabledFeatures: listOf(e.PLINTH_DISABLED_FEATURES ?? e.DISABLED_FEATURES ?? ''),
    onLoopback,
    /** Mails can be read by whoever reaches this server, so only while nobody else can, by a proxy either. */
    localMailbox: onLoopback && !e.SMTP_URL && loopback.includes(new URL(url).hostname),
  }
}

/**
 * Ports of 127.0.0.1 that projects may have for themselves. Unless told, any above the system's where only people of this
 * machine reach the platform, and none where others could take its ports.
 */
function listenPorts(
  given: string | undefined,
  { onLoopback, isOneMachine }: { onLoopback: boolean; isOneMachine: boolean },
): { low: number; high: number } | undefined {
  if (given === 'off' || (given === undefined && !(onLoopback && isOneMachine))) return undefined
  if (!isOneMachine) {
    throw new ConfigError('PLINTH_LISTEN_PORTS: needs a data plane on this machine')
  }
  const [low = 0, high = 0] = (given ?? '1024-65535').split('-').map(Number)
  if (low < 1024 || low > high || high > 65_535) {
    throw new ConfigError('PLINTH_LISTEN_PORTS: must be from 1024 to 65535, the lower port first')
  }
  return { low, high }
}
