import type { ProjectStatus } from '#contract/projects/project-status'
import type { Db } from '../../platform-database/database.ts'

/** Those whose servers are ours to look into: a removed project has none. */
const gone: ProjectStatus[] = ['REMOVED', 'GOING_DOWN', 'INIT_FAILED']

export const extensionUseStore = (db: Db) => ({
  projects: () =>
    db
      .selectFrom('platform.projects')
      .select(['ref', 'name', 'status'])
      // What waits in the trash needs its extensions when it comes back.
      .where((e) =>
        e.or([
          e('status', 'not in', gone),
          e.and([e('status', '=', 'REMOVED'), e('deleted_at', 'is not', null)]),
        ]),
      )
      .orderBy('id')
      .execute(),
})
export type ExtensionUseStore = ReturnType<typeof extensionUseStore>

/** Names of a project's extensions, and of the databases that its owner has made beside it. */
export const useQuery = `select
  array(select extname::text from pg_catalog.pg_extension order by 1) as extensions,
  array(select datname::text from pg_catalog.pg_database
    where not datistemplate and datname operator(pg_catalog.<>) 'postgres' order by 1) as others`
