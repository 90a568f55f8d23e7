import type { Db } from '../../platform-database/database.ts'

export type AssistantStore = ReturnType<typeof assistantStore>

export function assistantStore(db: Db) {
  return {
    /** What a question about a project may carry along: its name, and what its organization opted in to. */
    project: (ref: string): Promise<{ name: string; tags: string[] } | undefined> =>
      db
        .selectFrom('platform.projects as project')
        .innerJoin(
          'platform.organizations as organization',
          'organization.id',
          'project.organization_id',
        )
        .select(['project.name as name', 'organization.opt_in_tags as tags'])
        .where('project.ref', '=', ref)
        .executeTakeFirst(),
  }
}
