import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { ProjectRef } from '../values.ts'

/** A port of this machine that a project is served at, besides its address. */
export const ListenPort = z
  .number()
  .int()
  .min(1024, 'must be 1024 or more: the ports below belong to the system')
  .max(65_535)

const ProjectListener = z.object({
  /** False where projects can have none: the installation has several machines, or its operator does not offer it. */
  offered: z.boolean(),
  port: z.number().nullable(),
  /** Where the project's services are at the root: `http://127.0.0.1:54321`. */
  url: z.string().nullable(),
  /** Why nothing listens there at the moment, in words. */
  problem: z.string().nullable(),
})
export type ProjectListener = z.infer<typeof ProjectListener>

const ByRef = z.object({ ref: ProjectRef })

/** A project at the root of a port of its own, which only programs of this machine reach. */
export const listeners = {
  get: endpoint('listeners.get', 'GET /platform/projects/:ref/listener', {
    needs: inProject('read:Read', 'projects'),
    input: ByRef,
    returns: ProjectListener,
  }),
  /** Null ends it. It is live when this answers. */
  set: endpoint('listeners.set', 'PUT /platform/projects/:ref/listener', {
    needs: inProject('write:Update', 'projects'),
    perMinute: 60,
    input: ByRef.extend({ port: ListenPort.nullable() }),
    returns: ProjectListener,
  }),
}
