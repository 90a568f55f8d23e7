import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { ProjectRef } from '../values.ts'

const ByRef = z.object({ ref: ProjectRef })
const reads = inProject('read:Read', 'projects')
const updates = inProject('write:Update', 'projects')
const bans = '/v1/projects/:ref/network-bans' as const
const vanity = '/v1/projects/:ref/vanity-subdomain' as const
const hostname = '/v1/projects/:ref/custom-hostname' as const
const subdomain = ByRef.extend({ vanity_subdomain: z.string().min(1).max(63) })
const custom = ByRef.extend({ custom_hostname: z.string().min(1).max(253) })
const nothing = z.object({})
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** Whatever is sent to these is refused in the same words. */
const absent = <N extends string, P extends `${Method} /v${1 | 2}/projects/:ref${string}`>(
  name: N,
  path: P,
) => endpoint(name, path, { needs: updates, input: ByRef.loose(), returns: nothing })
const addresses = z.array(z.ipv4()).max(1000)

/**
 * What programs ask about that an installation does not have: lists are empty, and what would make one is refused with the code
 * `not_on_this_installation`.
 */
export const v1Absent = {
  /** Addresses that were shut out for wrong passwords; nobody is, here. */
  networkBans: endpoint('v1.networkBans', `POST ${bans}/retrieve`, {
    needs: reads,
    status: 201,
    input: ByRef,
    returns: z.object({ banned_ipv4_addresses: z.array(z.string()) }),
  }),
  enrichedNetworkBans: endpoint('v1.enrichedNetworkBans', `POST ${bans}/retrieve/enriched`, {
    needs: reads,
    status: 201,
    input: ByRef,
    returns: z.object({ banned_ipv4_addresses: z.array(z.object({ banned_address: z.string() })) }),
  }),
  removeNetworkBans: endpoint('v1.removeNetworkBans', `DELETE ${bans}`, {
    needs: updates,
    input: ByRef.extend({ ipv4_addresses: addresses }),
    returns: z.object({}),
  }),
  vanitySubdomain: endpoint('v1.vanitySubdomain', `GET ${vanity}`, {
    needs: reads,
    input: ByRef,
    returns: z.object({ status: z.literal('not-used') }),
  }),
  checkVanitySubdomain: endpoint('v1.checkVanitySubdomain', `POST ${vanity}/check-availability`, {
    needs: updates,
    status: 201,
    input: subdomain,
    returns: z.object({}),
  }),
  activateVanitySubdomain: endpoint('v1.activateVanitySubdomain', `POST ${vanity}/activate`, {
    needs: updates,
    status: 201,
    input: subdomain,
    returns: z.object({}),
  }),
  customHostname: endpoint('v1.customHostname', `GET ${hostname}`, {
    needs: reads,
    input: ByRef,
    returns: z.object({}),
  }),
  initializeCustomHostname: endpoint('v1.initializeCustomHostname', `POST ${hostname}/initialize`, {
    needs: updates,
    status: 201,
    input: custom,
    returns: z.object({}),
  }),
  activateCustomHostname: absent('v1.activateCustomHostname', `POST ${hostname}/activate`),
  verifyCustomHostname: absent('v1.verifyCustomHostname', `POST ${hostname}/reverify`),
  removeCustomHostname: absent('v1.removeCustomHostname', `DELETE ${hostname}`),
  removeVanitySubdomain: absent('v1.removeVanitySubdomain', `DELETE ${vanity}`),
  /** Settings as one file are read (v1-config.ts), and changed one by one. */
  updateConfig: absent('v1.updateConfig', 'PUT /v2/projects/:ref/config'),
  updatePooler: absent('v1.updatePooler', 'PATCH /v1/projects/:ref/config/database/pooler'),
  /** A login for a while, for a program that has no password of the database. */
  createLoginRole: absent('v1.createLoginRole', 'POST /v1/projects/:ref/cli/login-role'),
  removeLoginRoles: absent('v1.removeLoginRoles', 'DELETE /v1/projects/:ref/cli/login-role'),
  upgrade: absent('v1.upgrade', 'POST /v1/projects/:ref/upgrade'),
  rootKey: absent('v1.rootKey', 'GET /v1/projects/:ref/pgsodium'),
  updateRootKey: absent('v1.updateRootKey', 'PUT /v1/projects/:ref/pgsodium'),
}
