import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { ProjectRef } from '../values.ts'

const ByRef = z.object({ ref: ProjectRef })
const nothing = z.array(z.never())
const reads = inProject('read:Read', 'projects')

/** What the public API calls 0, 1 and 2. */
export const upgradeStates = { upgrading: 0, failed: 1, upgraded: 2 } as const

/** The version of PostgreSQL that a project runs on, as programs ask for it. */
export const v1Upgrades = {
  upgradeEligibility: endpoint(
    'v1.upgradeEligibility',
    'GET /v1/projects/:ref/upgrade/eligibility',
    {
      needs: reads,
      input: ByRef,
      returns: z.object({
        eligible: z.boolean(),
        current_app_version: z.string(),
        current_app_version_release_channel: z.literal('ga'),
        latest_app_version: z.string(),
        target_upgrade_versions: z.array(
          z.object({
            app_version: z.string(),
            postgres_version: z.string(),
            release_channel: z.literal('ga'),
          }),
        ),
        duration_estimate_hours: z.number(),
        legacy_auth_custom_roles: z.array(z.string()),
        /** Why it is not eligible. */
        potential_breaking_changes: z.array(z.string()),
        /** Another minor version breaks none of these. */
        objects_to_be_dropped: nothing,
        unsupported_extensions: nothing,
        user_defined_objects_in_internal_schemas: nothing,
        validation_errors: nothing,
        warnings: nothing,
      }),
    },
  ),
  /** Null: nobody has ever upgraded it. */
  upgradeStatus: endpoint('v1.upgradeStatus', 'GET /v1/projects/:ref/upgrade/status', {
    needs: reads,
    input: ByRef,
    returns: z.object({
      databaseUpgradeStatus: z
        .object({
          initiated_at: z.string(),
          latest_status_at: z.string(),
          target_version: z.string(),
          status: z.union([z.literal(0), z.literal(1), z.literal(2)]),
          progress: z.enum(['0_requested', '9_completed_upgrade']).optional(),
          error: z.string().optional(),
        })
        .nullable(),
    }),
  }),
  /** To the installed version; no other can be named. */
  upgrade: endpoint('v1.upgrade', 'POST /v1/projects/:ref/upgrade', {
    needs: inProject('write:Update', 'projects'),
    status: 201,
    input: ByRef.extend({
      target_version: z.string().max(100),
      release_channel: z.string().max(100).optional(),
    }),
    returns: z.object({ tracking_id: z.string() }),
  }),
}
