import { Link } from '@tanstack/react-router'
import { RadioTower, Trash2 } from 'lucide-react'
import type { Publication } from '#contract/database/database-object-shapes'
import { databaseObjects } from '#contract/database/database-objects'
import { publishedOperations } from '#contract/ddl/publications'
import { publicationsQuery } from '../../../modules/objects/lists.ts'
import { actionsColumn } from '../../../modules/objects/list/object-columns.tsx'
import {
  byText,
  noneFound,
  type Place,
  type Resource,
} from '../../../modules/objects/list/resource.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import {
  askToDropPublication,
  extentOf,
  OperationSwitch,
  usePublicationReasons,
} from './publication-parts.tsx'
import { PublicationForm } from './PublicationForm.tsx'

type Reasons = ReturnType<typeof usePublicationReasons>

/** /project/{ref}/database/publications */
export const publications: Resource<Publication, Reasons> = {
  title: 'Publications',
  help: "Choose which table changes subscribers can follow. supabase_realtime feeds the project's own subscriptions.",
  icon: RadioTower,
  within: 'database',
  find: { label: 'Find a publication', name: 'q' },
  query: publicationsQuery,
  rowsOf: (data) => data,
  useMore: usePublicationReasons,
  keyOf: ({ id }) => String(id),
  narrow: byText(({ name }) => name),
  columns: publicationColumns,
  empty: (place) =>
    place.rows?.length === 0 ? (
      <EmptyState icon={RadioTower} title="No publication yet" action={place.create}>
        A publication lets another database, or a program, follow changes as they happen.
      </EmptyState>
    ) : (
      noneFound(place, 'No publication found', `No name contains “${place.search['q']}”.`)
    ),
  needs: databaseObjects.createPublication,
  forgets: [databaseObjects.publications],
  create: {
    label: 'Create publication',
    panel: ({ projectRef, more, close }) => (
      <PublicationForm projectRef={projectRef} allTablesReason={more.allTables} onClose={close} />
    ),
  },
}

function publicationColumns({
  projectRef,
  more,
  ask,
}: Place<Publication, Reasons>): Column<Publication>[] {
  return [
    {
      id: 'name',
      head: 'Name',
      sortBy: ({ name }) => name,
      cell: ({ id, name }) => (
        <Link
          className="mono link"
          to="/project/$ref/database/publications/$id"
          params={{ ref: projectRef, id: String(id) }}
        >
          {name}
        </Link>
      ),
    },
    {
      id: 'tables',
      head: 'Publishes',
      sortBy: ({ tables }) => tables?.length ?? Number.MAX_SAFE_INTEGER,
      cell: extentOf,
    },
    {
      id: 'owner',
      head: 'Owner',
      wideOnly: true,
      cell: ({ owner }) => <span className="mono">{owner}</span>,
    },
    ...publishedOperations.map((operation): Column<Publication> => ({
      id: operation,
      head: operation.charAt(0).toUpperCase() + operation.slice(1),
      width: '84px',
      cell: (publication) => (
        <OperationSwitch
          publication={publication}
          operation={operation}
          why={more.change(publication)}
          ask={ask}
        />
      ),
    })),
    actionsColumn((publication) => (
      <MenuItem
        icon={Trash2}
        danger
        disabledReason={more.change(publication)}
        onSelect={() => ask(askToDropPublication(publication))}
      >
        Delete publication
      </MenuItem>
    )),
  ]
}
