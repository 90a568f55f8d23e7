import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { ProjectRef } from '../values.ts'

/** Most networks of one project, of both kinds together. */
export const maxNetworks = 100

const ByRef = z.object({ ref: ProjectRef })
const path = '/v1/projects/:ref/network-restrictions' as const

const Networks = z.object({
  dbAllowedCidrs: z.array(z.cidrv4()).max(maxNetworks),
  dbAllowedCidrsV6: z.array(z.cidrv6()).max(maxNetworks).optional(),
})
export type Networks = z.infer<typeof Networks>

const NetworkRestrictions = z.object({
  /** `disallowed`: the database is not one whose server this installation runs. */
  entitlement: z.enum(['disallowed', 'allowed']),
  /** What people may connect from; `0.0.0.0/0` and `::/0` while nothing is restricted. */
  config: Networks,
  status: z.enum(['stored', 'applied']),
})
export type NetworkRestrictions = z.infer<typeof NetworkRestrictions>

/** From which networks a project's database takes direct connections. Its services are not concerned. */
export const v1Network = {
  networkRestrictions: endpoint('v1.networkRestrictions', `GET ${path}`, {
    needs: inProject('read:Read', 'projects'),
    input: ByRef,
    returns: NetworkRestrictions,
  }),
  /** Holds for connections that begin from now on. Without any network nobody connects directly. */
  applyNetworkRestrictions: endpoint('v1.applyNetworkRestrictions', `POST ${path}/apply`, {
    needs: inProject('write:Update', 'projects'),
    status: 201,
    perMinute: 60,
    input: ByRef.extend(Networks.shape),
    returns: NetworkRestrictions,
  }),
  /** Adds networks, and takes others away. */
  changeNetworkRestrictions: endpoint('v1.changeNetworkRestrictions', `PATCH ${path}`, {
    needs: inProject('write:Update', 'projects'),
    perMinute: 60,
    input: ByRef.extend({
      add: Networks.partial().default({}),
      remove: Networks.partial().default({}),
    }),
    /** Networks of both kinds in one list: programs expect them so of this call alone. */
    returns: NetworkRestrictions.extend({
      config: z.object({
        dbAllowedCidrs: z.array(z.object({ address: z.string(), type: z.enum(['v4', 'v6']) })),
      }),
    }),
  }),
}
