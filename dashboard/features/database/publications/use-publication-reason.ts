import { useQuery } from '@tanstack/react-query'
import type { Publication } from '#contract/database/database-object-shapes'
import { databaseObjects } from '#contract/database/database-objects'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/use-project.ts'
import { serverQuery } from './queries.ts'

/** Why the reader cannot make publications, or change this one; undefined when they can. */
export function usePublicationReasons(projectRef: string) {
  const why = useDenials(useProject(projectRef))
  const { data: server } = useQuery(serverQuery(projectRef))
  const denied = why(databaseObjects.createPublication)
  return {
    create: denied,
    allTables: server?.is_superuser
      ? undefined
      : 'Only a superuser can publish every table; choose the tables instead',
    change: ({ owner }: Publication) =>
      denied ??
      (!server || server.is_superuser || owner === server.owner
        ? undefined
        : `It belongs to ${owner}`),
  }
}
