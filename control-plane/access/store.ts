import type { RoleName } from '#contract/permissions'
import type { Db } from '../database/database.ts'

export type Membership = { organizationId: string; organizationSlug: string; role: RoleName }
export type AccessStore = ReturnType<typeof accessStore>

export function accessStore(db: Db) {
  const memberships = (userId: string) =>
    db
      .selectFrom('platform.members as member')
      .innerJoin(
        'platform.organizations as organization',
        'organization.id',
        'member.organization_id',
      )
      .select([
        'member.organization_id as organizationId',
        'organization.slug as organizationSlug',
        'member.role as role',
      ])
      .where('member.user_id', '=', userId)

  return {
    all: (userId: string): Promise<Membership[]> =>
      memberships(userId).orderBy('organization.id').execute(),

    ofOrganization: (userId: string, slug: string): Promise<Membership | undefined> =>
      memberships(userId).where('organization.slug', '=', slug).executeTakeFirst(),

    ofProject: (userId: string, ref: string): Promise<Membership | undefined> =>
      memberships(userId)
        .innerJoin('platform.projects as project', 'project.organization_id', 'organization.id')
        .where('project.ref', '=', ref)
        .where('project.status', '<>', 'REMOVED')
        .executeTakeFirst(),
  }
}
