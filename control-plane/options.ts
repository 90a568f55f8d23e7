import type { ClientConfig } from 'pg'
import type { Provider } from '#compute/provider'
import type { PlatformEnvironment } from '#contract/projects/cloud-providers'
import type { CustomContent } from '#contract/operations/custom-content'
import type { Mode } from '#contract/operations/platform-only'
import type { AllowedNetworks } from '#kit/config/config-networks'
import type { SafeFetch } from '#kit/network/safe-fetch'
import type { Security } from '#kit/http/http-security'
import type { Log } from '#kit/log'
import type { LeaseTimes } from './operations/leases/leadership.ts'
import type { Secrets } from '#kit/secrets'
import type { People, VerifiedToken } from './access/access.ts'
import type { BillingSettings } from './billing/billing/billing-settings.ts'
import type { ModelServer } from './assistant/assistant/model.ts'
import type { openDatabase } from './platform-database/database.ts'
import type { ListenerRules } from './operations/listeners/listeners.ts'
import type { DiskPlace } from './operations/health/disk-look.ts'
import type { SendMail } from './operations/outgoing-mail/outgoing-mail.ts'
import type { ResolveTxt } from './organizations/sso/domains.ts'
import type { AcmeSettings } from './projects/domains/certificates/acme.ts'
import type { InstallationHosts } from './projects/domains/certificates/installation-certificates.ts'
import type { SsoGateway } from './organizations/sso/gateway.ts'

/** What a control plane is made from; the programs read it from their settings. */
export type ControlPlaneOptions = {
  version: string
  /** `self-hosted`: what only the hosted platform has is refused. */
  mode?: Mode | undefined
  database: ReturnType<typeof openDatabase>
  /** For the one connection that listens; the pool cannot lend it. */
  databaseConfig: ClientConfig
  compute: Provider
  dbVersion: string
  databaseHost: string
  /** At which ports the pooler takes connections, by mode; null or left out: it has none, or nobody here knows it. */
  poolerPorts?: { session: number | null; transaction: number | null } | undefined
  /** How browsers reach the dashboard; links in mails and consent pages start with it. */
  url: string
  projectUrl: string
  /** Names of projects beside their refs. */
  domains?: DomainSettings | undefined
  /** Ports that projects may have for themselves; undefined where they can have none. */
  listenPorts?: ListenerRules | undefined
  dataPlaneUrl: string
  internalToken: string
  secrets: Secrets
  security: Security
  requestsPerMinute: number
  localMailbox: boolean
  /** What the installation is for its operator; `production` unless told. */
  environment?: PlatformEnvironment | undefined
  /** The operator's own words and links. */
  content?: CustomContent | undefined
  /** Where people talk about the product. */
  discussionsUrl?: string | undefined
  mailerAutoconfirm: boolean
  /** Where requests for help go. */
  supportEmail: string
  /** Hands one of the platform's own mails to the mail server or the mailbox. */
  sendMail: SendMail
  verifyToken: (token: string) => Promise<VerifiedToken | undefined>
  people: People
  /** The auth service's side of single sign-on. */
  sso: SsoGateway
  /** Domains that organizations may use for it without a DNS record. */
  trustedSsoDomains?: readonly string[] | undefined
  /** How TXT records are looked up; by the machine's own name servers unless a test says otherwise. */
  resolveTxt?: ResolveTxt | undefined
  /** How addresses that strangers name are reached; only public ones unless a test says otherwise. */
  fetch?: SafeFetch | undefined
  /** What log drains may reach of the inner network; nothing of it unless told. */
  drainNetworks?: AllowedNetworks | undefined
  /** Bytes of one stored object at most, whatever a plan allows; no bound of its own unless told. */
  largestUpload?: number | undefined
  /** Features that the operator has switched off (contract/features.ts). */
  disabledFeatures?: readonly string[] | undefined
  /** Where legal documents lie; undefined when whoever runs the platform supplies none. */
  documents?: string | undefined
  /** SQL that makes what webhooks need in a project's database. */
  webhookSchema: string
  /** The clock; the machine's own unless a test sets another one. */
  now?: (() => Date) | undefined
  /** What the assistant asks; undefined when no operator has configured one. */
  model?: ModelServer | undefined
  /** Undefined: no cards, and invoices from the platform's own name. */
  billing?: BillingSettings | undefined
  /** Bytes that are to stay free on the disk of the servers; a twentieth of it, 4 GB at most, unless told. */
  diskReserve?: number | undefined
  /** Names this program among several that share the platform's database; without it, it is the only one. */
  executor?: string | undefined
  /** How soon the others notice that it is gone. */
  leaseTimes?: LeaseTimes | undefined
  /** Days that deleted projects wait in the trash; 0, or left out: they are removed at once. */
  trashDays?: number | undefined
  /** What this program runs on, as operators see it. */
  installation?: Installation | undefined
  log: Log
}

export type DomainSettings = {
  /** What custom hostnames are to point to; the host of the project's own address unless told. */
  target?: string | undefined
  /** Name servers that are asked for their records, with a port where it is not 53; the machine's own unless told. */
  dnsServers?: readonly string[] | undefined
  /** Who gives certificates for them; undefined: they come from elsewhere. */
  acme?: AcmeSettings | undefined
  /** The installation's own names, which get certificates by the same authority; none unless told. */
  installation?: InstallationHosts | undefined
}

export type Installation = {
  /** This machine and the port of this program: `host:8000`. */
  place: string
  /** Undefined: nothing of it lies on this machine. */
  disk?: DiskPlace | undefined
  /** The folder of the launcher's log files. */
  logs?: string | undefined
}
