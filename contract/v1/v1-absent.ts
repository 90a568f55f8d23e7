import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { ProjectRef } from '../values.ts'

const ByRef = z.object({ ref: ProjectRef })
const reads = inProject('read:Read', 'projects')
const updates = inProject('write:Update', 'projects')
const bans = '/v1/projects/:ref/network-bans' as const
const nothing = z.object({})
type Method = 'GET' | 'PUT' | 'PATCH'
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
    returns: z.object({ banned_ipv4_addresses: z.array(z.never()) }),
  }),
  removeNetworkBans: endpoint('v1.removeNetworkBans', `DELETE ${bans}`, {
    needs: updates,
    input: ByRef.extend({ ipv4_addresses: addresses }),
    returns: z.object({}),
  }),
  /** Settings as one file are read (v1-config.ts), and changed one by one. */
  updateConfig: absent('v1.updateConfig', 'PUT /v2/projects/:ref/config'),
  updatePooler: absent('v1.updatePooler', 'PATCH /v1/projects/:ref/config/database/pooler'),
  rootKey: absent('v1.rootKey', 'GET /v1/projects/:ref/pgsodium'),
  updateRootKey: absent('v1.updateRootKey', 'PUT /v1/projects/:ref/pgsodium'),
}
