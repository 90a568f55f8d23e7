import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Instant, ProjectRef } from '../values.ts'

/**
 * How far a custom hostname has come. *initiated*: its records are awaited; *verified*: both were there at the last look;
 * *active*: requests with this name reach the project.
 */
export const hostnameStatuses = ['initiated', 'verified', 'active'] as const
export type HostnameStatus = (typeof hostnameStatuses)[number]

/** The last look at a record. *unknown*: no name server answered, so nothing is known of it. */
export const recordStates = ['found', 'missing', 'different', 'unknown'] as const
export type RecordState = (typeof recordStates)[number]

/** What the add-on is called on invoices and in calls. */
export const customDomainVariant = 'cd_default'
/** Labels of a vanity subdomain: letters, digits and hyphens. */
export const vanityPattern = /^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$/

const DnsRecord = z.object({
  type: z.enum(['CNAME', 'TXT']),
  name: z.string(),
  value: z.string(),
  /** Null: not looked at yet. */
  state: z.enum(recordStates).nullable(),
  /** What stands there instead, where it is something else. */
  found: z.array(z.string()),
})
export type DnsRecord = z.infer<typeof DnsRecord>

/**
 * How far the certificate of an active hostname has come. *issuing*: the first one is ordered; *active*: there is one; *failed*: there
 * is none, and the last order failed.
 */
export const certificateStates = ['issuing', 'active', 'failed'] as const

export const HostnameCertificate = z.object({
  state: z.enum(certificateStates),
  /** When the certificate that there is ends. */
  until: Instant.nullable(),
  /** Why the last order failed, also while the former certificate still holds. */
  failure: z.string().nullable(),
  /** When the next order begins; null: one is under way, or none is to begin. */
  next_at: Instant.nullable(),
})
export type HostnameCertificate = z.infer<typeof HostnameCertificate>

export const CustomHostname = z.object({
  /** As DNS has it: lower case, and what is not ASCII as Punycode. */
  hostname: z.string(),
  status: z.enum(hostnameStatuses),
  /** Whether requests with this name reach the project now: it is active, and the plan has it. */
  served: z.boolean(),
  url: z.string(),
  records: z.array(DnsRecord),
  checked_at: Instant.nullable(),
  /** Since when a record of an active name is gone or says something else. */
  failing_since: Instant.nullable(),
  initiated_at: Instant,
  activated_at: Instant.nullable(),
  /** Null: it is not served, or this installation gets no certificates by itself. */
  certificate: HostnameCertificate.nullable(),
})
export type CustomHostname = z.infer<typeof CustomHostname>

export const VanitySubdomain = z.object({
  name: z.string(),
  url: z.string(),
  served: z.boolean(),
  activated_at: Instant,
})
export type VanitySubdomain = z.infer<typeof VanitySubdomain>

/** The names of a project. */
export const Domains = z.object({
  /** The address that always works. */
  url: z.string(),
  /** What a custom hostname points to; null: this installation has no public name. */
  target: z.string().nullable(),
  /** Where addresses of projects are names below a domain, that domain; null: there are no vanity subdomains. */
  vanity_domain: z.string().nullable(),
  /** Whether requests to projects come by HTTPS; whoever terminates TLS needs a certificate for the name then. */
  https: z.boolean(),
  /** Whether this installation gets the certificates of custom hostnames by itself. */
  certificates: z.boolean(),
  /** What the plan of the organization has. */
  plan: z.object({ custom: z.boolean(), vanity: z.boolean() }),
  /** Whether the add-on is enabled. */
  add_on: z.boolean(),
  custom: CustomHostname.nullable(),
  vanity: VanitySubdomain.nullable(),
})
export type Domains = z.infer<typeof Domains>

const ByRef = z.object({ ref: ProjectRef })
const reads = inProject('read:Read', 'custom_domains')
const updates = inProject('write:Update', 'custom_domains')
const vanityUpdates = inProject('write:Update', 'vanity_subdomains')
const hostname = '/platform/projects/:ref/custom-hostname' as const
const vanity = '/platform/projects/:ref/vanity-subdomain' as const

/** A look asks name servers that somebody else runs. */
const looksPerMinute = 20
const vanityName = z.string().trim().toLowerCase().min(1).max(63)

export const domains = {
  get: endpoint('domains.get', 'GET /platform/projects/:ref/domains', {
    needs: reads,
    input: ByRef,
    returns: Domains,
  }),
  /** Begins with a name, or with another one than before: its records are new. */
  initialize: endpoint('domains.initialize', `POST ${hostname}/initialize`, {
    needs: updates,
    status: 201,
    perMinute: looksPerMinute,
    input: ByRef.extend({ hostname: z.string().min(1).max(512) }),
    returns: Domains,
  }),
  /** Looks at the records now. */
  reverify: endpoint('domains.reverify', `POST ${hostname}/reverify`, {
    needs: updates,
    status: 201,
    perMinute: looksPerMinute,
    input: ByRef,
    returns: Domains,
  }),
  activate: endpoint('domains.activate', `POST ${hostname}/activate`, {
    needs: updates,
    status: 201,
    perMinute: looksPerMinute,
    input: ByRef,
    returns: Domains,
  }),
  /** Orders a certificate now, after an order that failed. */
  retryCertificate: endpoint('domains.retry-certificate', `POST ${hostname}/certificate`, {
    needs: updates,
    status: 201,
    perMinute: looksPerMinute,
    input: ByRef,
    returns: Domains,
  }),
  remove: endpoint('domains.remove', `DELETE ${hostname}`, {
    needs: updates,
    input: ByRef,
    returns: Domains,
  }),
  /** For a reverse proxy that gets certificates by itself: whether to get one for this name. 404 otherwise. */
  isKnown: endpoint('domains.is-known', 'GET /platform/custom-hostnames/check', {
    needs: 'anyone',
    input: z.object({
      domain: z
        .string()
        .max(255)
        .regex(/^[\w.-]+$/, 'must be a hostname'),
    }),
    returns: z.object({ hostname: z.string() }),
  }),
  checkVanity: endpoint('domains.check-vanity', `POST ${vanity}/check-availability`, {
    needs: vanityUpdates,
    status: 201,
    perMinute: 60,
    input: ByRef.extend({ name: vanityName }),
    returns: z.object({ available: z.boolean(), reason: z.string().nullable() }),
  }),
  activateVanity: endpoint('domains.activate-vanity', `POST ${vanity}/activate`, {
    needs: vanityUpdates,
    status: 201,
    perMinute: 60,
    input: ByRef.extend({ name: vanityName }),
    returns: Domains,
  }),
  removeVanity: endpoint('domains.remove-vanity', `DELETE ${vanity}`, {
    needs: vanityUpdates,
    input: ByRef,
    returns: Domains,
  }),
}
