import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Instant, ProjectRef } from '../values.ts'

/**
 * What of a project can be started anew by itself, in the order in which it is shown. GraphQL is a part of the data API, Storage keeps
 * nothing between two requests, and the database has a restart of its own.
 */
export const restartableServices = ['rest', 'auth', 'realtime', 'functions', 'pooler'] as const
export type RestartableService = (typeof restartableServices)[number]

/** When a service was last restarted by somebody, to the microsecond; none: never. Another value is another restart. */
export const ServiceRestarts = z.partialRecord(z.enum(restartableServices), z.string())
export type ServiceRestarts = z.infer<typeof ServiceRestarts>

const ServiceRestart = z.object({
  service: z.enum(restartableServices),
  /** Null: by nobody yet. */
  restarted_at: Instant.nullable(),
})
export type ServiceRestart = z.infer<typeof ServiceRestart>

const ByRef = z.object({ ref: ProjectRef })

/** Services of one project that are started anew, while all others go on. */
export const serviceRestarts = {
  list: endpoint('service-restarts.list', 'GET /platform/projects/:ref/service-restarts', {
    needs: inProject('read:Read', 'projects'),
    input: ByRef,
    returns: z.array(ServiceRestart),
  }),
  /** Every data plane that serves the project hears of it, also one that cannot be reached at the moment. */
  restart: endpoint(
    'service-restarts.restart',
    'POST /platform/projects/:ref/services/:service/restart',
    {
      needs: inProject('infra:Execute', 'reboot'),
      input: ByRef.extend({ service: z.enum(restartableServices) }),
      returns: ServiceRestart,
    },
  ),
}
