import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { ProjectRef } from '../values.ts'

const ByRef = z.object({ ref: ProjectRef })
const hostname = '/v1/projects/:ref/custom-hostname' as const
const vanity = '/v1/projects/:ref/vanity-subdomain' as const
const subdomain = ByRef.extend({ vanity_subdomain: z.string().trim().toLowerCase().min(1).max(63) })
const hostnameReads = inProject('read:Read', 'custom_domains')
const hostnameUpdates = inProject('write:Update', 'custom_domains')
const vanityReads = inProject('read:Read', 'vanity_subdomains')
const vanityUpdates = inProject('write:Update', 'vanity_subdomains')

/** How far a custom hostname has come, in the words of the public API. */
export const v1HostnameStatuses = [
  '1_not_started',
  '2_initiated',
  '3_challenge_verified',
  '4_origin_setup_completed',
  '5_services_reconfigured',
] as const

/** A custom hostname as public clients know it. The TXT record that proves whose it is stands among those of `ssl` as well. */
export const V1CustomHostname = z.object({
  status: z.enum(v1HostnameStatuses),
  custom_hostname: z.string(),
  data: z.object({
    success: z.boolean(),
    errors: z.array(z.string()),
    messages: z.array(z.string()),
    result: z.object({
      id: z.string(),
      hostname: z.string(),
      ssl: z.object({
        status: z.string(),
        validation_records: z.array(z.object({ txt_name: z.string(), txt_value: z.string() })),
        validation_errors: z.array(z.object({ message: z.string() })).optional(),
      }),
      ownership_verification: z.object({ type: z.string(), name: z.string(), value: z.string() }),
      /** What the name has to point to. */
      custom_origin_server: z.string(),
      verification_errors: z.array(z.string()).optional(),
      status: z.string(),
    }),
  }),
})
export type V1CustomHostname = z.infer<typeof V1CustomHostname>

/** The names of a project: one of its own, or one below the domain of the installation. */
export const v1Domains = {
  customHostname: endpoint('v1.customHostname', `GET ${hostname}`, {
    needs: hostnameReads,
    input: ByRef,
    returns: V1CustomHostname,
  }),
  initializeCustomHostname: endpoint('v1.initializeCustomHostname', `POST ${hostname}/initialize`, {
    needs: hostnameUpdates,
    status: 201,
    perMinute: 20,
    input: ByRef.extend({ custom_hostname: z.string().min(1).max(512) }),
    returns: V1CustomHostname,
  }),
  activateCustomHostname: endpoint('v1.activateCustomHostname', `POST ${hostname}/activate`, {
    needs: hostnameUpdates,
    status: 201,
    perMinute: 20,
    input: ByRef,
    returns: V1CustomHostname,
  }),
  verifyCustomHostname: endpoint('v1.verifyCustomHostname', `POST ${hostname}/reverify`, {
    needs: hostnameUpdates,
    status: 201,
    perMinute: 20,
    input: ByRef,
    returns: V1CustomHostname,
  }),
  removeCustomHostname: endpoint('v1.removeCustomHostname', `DELETE ${hostname}`, {
    needs: hostnameUpdates,
    input: ByRef,
    returns: z.object({}),
  }),
  vanitySubdomain: endpoint('v1.vanitySubdomain', `GET ${vanity}`, {
    needs: vanityReads,
    input: ByRef,
    returns: z.object({
      status: z.enum(['not-used', 'custom-domain-used', 'active']),
      /** The whole name, where it is active. */
      custom_domain: z.string().min(1).optional(),
    }),
  }),
  checkVanitySubdomain: endpoint('v1.checkVanitySubdomain', `POST ${vanity}/check-availability`, {
    needs: vanityUpdates,
    status: 201,
    perMinute: 60,
    input: subdomain,
    returns: z.object({ available: z.boolean() }),
  }),
  activateVanitySubdomain: endpoint('v1.activateVanitySubdomain', `POST ${vanity}/activate`, {
    needs: vanityUpdates,
    status: 201,
    perMinute: 60,
    input: subdomain,
    returns: z.object({ custom_domain: z.string() }),
  }),
  removeVanitySubdomain: endpoint('v1.removeVanitySubdomain', `DELETE ${vanity}`, {
    needs: vanityUpdates,
    input: ByRef,
    returns: z.object({}),
  }),
}
