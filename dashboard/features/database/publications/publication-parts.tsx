import { useQuery } from '@tanstack/react-query'
import type { Publication } from '#contract/database/database-object-shapes'
import { databaseObjects } from '#contract/database/database-objects'
import {
  changePublication,
  dropPublication,
  publishedOperations,
  type PublicationThere,
  type PublishedOperation,
} from '#contract/ddl/publications'
import { serverQuery } from '../../../modules/objects/lists.ts'
import type { Asked } from '../../../modules/objects/ReviewChange.tsx'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Switch } from '../../../ui/controls/Switch.tsx'
import { numberText } from '../../../ui/text/number.ts'

/** A publication as the builders of changes take it. */
export const publicationThere = (publication: Publication): PublicationThere => ({
  name: publication.name,
  owner: publication.owner,
  operations: publishedOperations.filter((one) => publication[`publish_${one}`]),
  tables: publication.tables?.map(({ schema, name }) => ({ schema, name })) ?? null,
  has_more: publication.has_more,
})

/** `3 tables`, `All tables`, `2 schemas and 1 table`. */
export function extentOf({ tables, schemas }: Publication): string {
  if (tables === null) return 'All tables'
  const parts = [
    ...(schemas.length > 0 ? [counted(schemas.length, 'schema')] : []),
    ...(tables.length > 0 || schemas.length === 0 ? [counted(tables.length, 'table')] : []),
  ]
  return parts.join(' and ')
}

const counted = (count: number, what: string) =>
  `${count === 0 ? 'No' : numberText(count)} ${what}${count === 1 ? '' : 's'}`

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

type Props = {
  publication: Publication
  operation: PublishedOperation
  why: string | undefined
  ask: (asked: Asked) => void
}

/** Whether one kind of change is published; turned only after the SQL was seen. */
export function OperationSwitch({ publication, operation, why, ask }: Props) {
  const { name } = publication
  const there = publicationThere(publication)
  const on = there.operations.includes(operation)
  const operations = publishedOperations.filter((one) =>
    one === operation ? !on : there.operations.includes(one),
  )
  return (
    <span title={why}>
      <Switch
        label={<span className="sr">{`${operation} of ${name}`}</span>}
        checked={on}
        disabled={why !== undefined}
        onChange={() =>
          ask({
            change: changePublication(there, { operations }),
            title: `${on ? 'Stop publishing' : 'Publish'} ${operation.toUpperCase()} in ${name}`,
            verb: 'Change publication',
            done: `${name} is changed`,
          })
        }
      />
    </span>
  )
}

export const askToDropPublication = (publication: Publication): Asked => ({
  change: dropPublication(publicationThere(publication)),
  title: `Delete ${publication.name}`,
  verb: 'Delete publication',
  danger: true,
  done: `${publication.name} is deleted`,
  children: (
    <p>
      No rows are lost. Subscribers get no more changes
      {publication.name === 'supabase_realtime'
        ? ', and the realtime subscriptions of this project receive nothing.'
        : '.'}
    </p>
  ),
})
