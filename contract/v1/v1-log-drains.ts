import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import {
  logDrainDescription,
  logDrainName,
  logDrainTypes,
} from '../observability/log-drain-shapes.ts'
import { inProject } from '../permissions.ts'
import { ProjectRef } from '../values.ts'

const path = '/v2/projects/:ref/analytics/log-drains'
const sees = inProject('analytics:Read', 'logflare')
const changes = inProject('analytics:Admin:Write', 'log_drains')
const type = z.literal('log_drain')
/** Checked by the type, as where the pages send it. */
const config = z.record(z.string(), z.unknown())

/** As programs know a drain: without what became of it, and with secrets empty. */
const V1LogDrain = z.object({
  type,
  id: z.uuid(),
  attributes: z.object({
    name: z.string(),
    description: z.string(),
    config,
    backend_type: z.enum(logDrainTypes),
  }),
})
export type V1LogDrain = z.infer<typeof V1LogDrain>

/** Drains of the logs of a project, for programs. What the pages refuse is refused here. */
export const v1LogDrains = {
  logDrains: endpoint('v1.logDrains', `GET ${path}`, {
    needs: sees,
    input: z.object({ ref: ProjectRef }),
    returns: z.object({ data: z.array(V1LogDrain) }),
  }),
  createLogDrain: endpoint('v1.createLogDrain', `POST ${path}`, {
    needs: changes,
    status: 201,
    input: z.object({
      ref: ProjectRef,
      data: z.object({
        type,
        attributes: z.object({
          name: logDrainName,
          description: logDrainDescription,
          config,
          backend_type: z.enum(logDrainTypes),
        }),
      }),
    }),
    returns: z.object({ data: V1LogDrain }),
  }),
  /** The kind of a drain stays; a config that is given is whole but for its secrets. */
  updateLogDrain: endpoint('v1.updateLogDrain', `PUT ${path}/:id`, {
    needs: changes,
    input: z.object({
      ref: ProjectRef,
      id: z.uuid(),
      data: z.object({
        type,
        attributes: z.object({
          name: logDrainName.optional(),
          description: z.string().max(500).optional(),
          config: config.optional(),
          backend_type: z.enum(logDrainTypes).optional(),
        }),
      }),
    }),
    returns: z.object({ data: V1LogDrain }),
  }),
  removeLogDrain: endpoint('v1.removeLogDrain', `DELETE ${path}/:id`, {
    needs: changes,
    input: z.object({ ref: ProjectRef, id: z.uuid() }),
    returns: z.object({}),
  }),
}
