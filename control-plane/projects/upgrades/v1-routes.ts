import type { Upgrade } from '#contract/projects/upgrades'
import { upgradeStates, v1Upgrades as api } from '#contract/v1/v1-upgrades'
import { ApiError } from '#kit/errors'
import { implement } from '#kit/http'
import type { Upgrades } from './upgrades.ts'

const release_channel = 'ga' as const

export const v1UpgradeRoutes = (upgrades: Upgrades) => [
  implement(api.upgradeEligibility, async ({ ref }) => {
    const { current, installed, blockers } = await upgrades.get(ref)
    return {
      eligible: blockers !== null && blockers.length === 0,
      current_app_version: current,
      current_app_version_release_channel: release_channel,
      latest_app_version: installed,
      target_upgrade_versions:
        blockers === null
          ? []
          : [
              {
                app_version: installed,
                postgres_version: installed.split('.')[0] ?? installed,
                release_channel,
              },
            ],
      duration_estimate_hours: 0,
      legacy_auth_custom_roles: [],
      potential_breaking_changes: blockers ?? [],
      objects_to_be_dropped: [],
      unsupported_extensions: [],
      user_defined_objects_in_internal_schemas: [],
      validation_errors: [],
      warnings: [],
    }
  }),
  implement(api.upgradeStatus, async ({ ref }) => {
    const { last } = await upgrades.get(ref)
    return { databaseUpgradeStatus: last && statusOf(last) }
  }),
  implement(api.upgrade, async ({ ref, target_version }, caller, origin) => {
    const { installed } = await upgrades.get(ref)
    // By the whole version, or by the major version that it is of.
    if (![installed, installed.split('.')[0]].includes(target_version))
      throw new ApiError('invalid_input', `This installation has PostgreSQL ${installed} alone`)
    return { tracking_id: await upgrades.order({ caller, origin }, ref) }
  }),
]

function statusOf({ ordered_at, finished_at, to, outcome, failure }: Upgrade) {
  const { upgrading, failed, upgraded } = upgradeStates
  return {
    initiated_at: ordered_at,
    latest_status_at: finished_at ?? ordered_at,
    target_version: to,
    status: outcome === null ? upgrading : outcome === 'upgraded' ? upgraded : failed,
    ...(finished_at === null ? { progress: '0_requested' as const } : {}),
    ...(outcome === 'upgraded' ? { progress: '9_completed_upgrade' as const } : {}),
    ...(failure === null ? {} : { error: failure }),
  }
}
