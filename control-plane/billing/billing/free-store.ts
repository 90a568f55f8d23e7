import { sql } from 'kysely'
import { localAdministrator } from '#contract/operations/local-admin'
import type { ProjectStatus } from '#contract/projects/project-status'
import type { Db, Tx } from '../../platform-database/database.ts'

export type ActiveProject = { owner_id: string; ref: string; name: string }
export type FreeStore = ReturnType<typeof freeStore>

/** Paused, failed and removed projects are not active: they hold nothing that runs. */
const active: ProjectStatus[] = [
  'COMING_UP',
  'ACTIVE_HEALTHY',
  'ACTIVE_UNHEALTHY',
  'RESTARTING',
  'RESTORING',
  'UPGRADING',
  'RESIZING',
  'PAUSING',
  'PAUSE_FAILED',
]

/** Who owns what on the Free plan. */
export function freeStore(db: Db) {
  return {
    /** Makes everyone who starts projects for one of these owners take turns until `tx` ends. */
    async lockOwners(tx: Tx, userIds: readonly string[]): Promise<void> {
      // In one order, so that two never wait for each other.
      for (const id of userIds.toSorted()) {
        const key = `free-projects:${id}`
        await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
      }
    },

    owners: (organizationId: string, from: Db | Tx = db) =>
      from
        .selectFrom('platform.members as member')
        .innerJoin('platform.profiles as profile', 'profile.user_id', 'member.user_id')
        .select(['member.user_id', 'profile.username', 'profile.primary_email'])
        .where('member.organization_id', '=', organizationId)
        .where('member.role', '=', 'Owner')
        .orderBy('profile.id')
        .execute(),

    /**
     * Their active projects in organizations that are on Free, or will be when their period ends. None count of the
     * local administrator: the machine is theirs.
     */
    activeOf: (userIds: readonly string[], from: Db | Tx = db): Promise<ActiveProject[]> =>
      userIds.length === 0
        ? Promise.resolve([])
        : from
            .selectFrom('platform.members as member')
            .innerJoin(
              'platform.organizations as organization',
              'organization.id',
              'member.organization_id',
            )
            .leftJoin(
              'platform.subscriptions as subscription',
              'subscription.organization_id',
              'organization.id',
            )
            .innerJoin('platform.projects as project', 'project.organization_id', 'organization.id')
            .select(['member.user_id as owner_id', 'project.ref', 'project.name'])
            .where('member.user_id', 'in', userIds)
            .where('member.user_id', '<>', localAdministrator.userId)
            .where('member.role', '=', 'Owner')
            .where((e) =>
              e.or([
                e('organization.tier', '=', 'tier_free'),
                e('subscription.scheduled_tier', '=', 'tier_free'),
              ]),
            )
            .where('project.status', 'in', active)
            .orderBy('project.id')
            .execute(),

    activeIn: (
      organizationId: string,
      from: Db | Tx = db,
    ): Promise<{ ref: string; name: string }[]> =>
      from
        .selectFrom('platform.projects')
        .select(['ref', 'name'])
        .where('organization_id', '=', organizationId)
        .where('status', 'in', active)
        .orderBy('id')
        .execute(),
  }
}
