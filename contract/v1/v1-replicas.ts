import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { regionCodes } from '../projects/regions.ts'
import { ProjectRef } from '../values.ts'

const ByRef = z.object({ ref: ProjectRef })
const path = '/v1/projects/:ref/read-replicas' as const
const resource = 'read_replicas'

/** Read replicas as programs order them. */
export const v1Replicas = {
  /** On one machine every region is this machine. */
  addReadReplica: endpoint('v1.addReadReplica', `POST ${path}/setup`, {
    needs: inProject('write:Create', resource),
    perMinute: 20,
    status: 201,
    input: ByRef.extend({ read_replica_region: z.enum(regionCodes) }),
    returns: z.object({}),
  }),
  /** By its identifier alone, or as its users name it: `REF-rr-IDENTIFIER`. */
  removeReadReplica: endpoint('v1.removeReadReplica', `POST ${path}/remove`, {
    needs: inProject('write:Delete', resource),
    perMinute: 20,
    status: 201,
    input: ByRef.extend({ database_identifier: z.string().min(1).max(64) }),
    returns: z.object({}),
  }),
}
