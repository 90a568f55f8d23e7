import { z } from 'zod'
import { databasePassword } from '../database/database-password.ts'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { regionCodes } from '../projects/regions.ts'
import { displayName, ProjectRef } from '../values.ts'

const ByRef = z.object({ ref: ProjectRef })
const Brief = z.object({ id: z.int(), ref: z.string(), name: z.string() })

const Specific = z.object({
  name: z.string(),
  code: z.enum(regionCodes),
  type: z.literal('specific'),
  provider: z.enum(['AWS']),
})
const Group = z.object({
  name: z.string(),
  code: z.enum(['americas', 'emea', 'apac']),
  type: z.literal('smartGroup'),
})

/** What is done with a project that stands, and where one can be. */
export const v1ProjectLife = {
  availableRegions: endpoint('v1.availableRegions', 'GET /v1/projects/available-regions', {
    needs: 'signed-in',
    // Every organization can place projects in all of them, whatever their size.
    input: z.object({}).loose(),
    returns: z.object({
      recommendations: z.object({ smartGroup: Group, specific: z.array(Specific) }),
      all: z.object({ smartGroup: z.array(Group), specific: z.array(Specific) }),
    }),
  }),
  updateProject: endpoint('v1.updateProject', 'PATCH /v1/projects/:ref', {
    needs: inProject('write:Update', 'projects'),
    input: ByRef.extend({ name: displayName(3, 64) }),
    returns: Brief,
  }),
  pause: endpoint('v1.pause', 'POST /v1/projects/:ref/pause', {
    needs: inProject('infra:Execute', 'queue_jobs.projects.pause'),
    input: ByRef,
    returns: Brief,
  }),
  restart: endpoint('v1.restart', 'POST /v1/projects/:ref/restart', {
    needs: inProject('infra:Execute', 'reboot'),
    input: ByRef,
    returns: Brief,
  }),
  /** Of the login `postgres`. Connections that are open stay. */
  setDatabasePassword: endpoint(
    'v1.setDatabasePassword',
    'PATCH /v1/projects/:ref/database/password',
    {
      needs: inProject('write:Update', 'projects'),
      perMinute: 20,
      input: databasePassword.set.input,
      returns: z.object({ message: z.string() }),
    },
  ),
  /** Versions that a paused project can come back as: the one it has. */
  restoreVersions: endpoint('v1.restoreVersions', 'GET /v1/projects/:ref/restore', {
    needs: inProject('read:Read', 'projects'),
    input: ByRef,
    returns: z.object({
      available_versions: z.array(
        z.object({
          version: z.string(),
          release_channel: z.literal('ga'),
          postgres_engine: z.string(),
        }),
      ),
    }),
  }),
  restore: endpoint('v1.restore', 'POST /v1/projects/:ref/restore', {
    needs: inProject('infra:Execute', 'queue_jobs.projects.initialize_or_resume'),
    input: ByRef,
    returns: Brief,
  }),
  /** Ends a restore that is under way: the project is then RESTORE_FAILED and can be restored again. */
  cancelRestore: endpoint('v1.cancelRestore', 'POST /v1/projects/:ref/restore/cancel', {
    needs: inProject('infra:Execute', 'queue_jobs.projects.initialize_or_resume'),
    input: ByRef,
    returns: z.object({}),
  }),
}
