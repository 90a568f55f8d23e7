import { Link } from '@tanstack/react-router'
import { RadioTower, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Publication } from '#contract/database/database-object-shapes'
import { databaseObjects } from '#contract/database/database-objects'
import {
  publishedOperations,
  createPublication,
  type PublishedOperation,
} from '#contract/ddl/publications'
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
import { ObjectForm } from '../../../modules/objects/ObjectForm.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import {
  askToDropPublication,
  extentOf,
  OperationSwitch,
  usePublicationReasons,
} from './publication-parts.tsx'

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

type Props = { projectRef: string; allTablesReason: string | undefined; onClose: () => void }

/** Name and kinds of changes; its tables are chosen on its own page. */
function PublicationForm({ projectRef, allTablesReason, onClose }: Props) {
  const [name, setName] = useState('')
  const [operations, setOperations] = useState<readonly PublishedOperation[]>(publishedOperations)
  const [all, setAll] = useState(false)
  const newName = name.trim()
  const ready = newName !== '' && operations.length > 0
  return (
    <ObjectForm
      projectRef={projectRef}
      size="medium"
      title="New publication"
      review="Review"
      asked={
        ready
          ? {
              change: createPublication({ name: newName, operations, tables: all ? null : [] }),
              title: `Create ${newName}`,
              verb: 'Create publication',
              done: `${newName} is created`,
            }
          : undefined
      }
      forgets={[databaseObjects.publications]}
      onClose={onClose}
    >
      {() => (
        <>
          <TextField
            label="Name"
            mono
            autoComplete="off"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the panel was opened to name a publication
            autoFocus
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <fieldset className="checks">
            <legend className="section-title">Publishes</legend>
            {publishedOperations.map((operation) => (
              <Checkbox
                key={operation}
                label={<span className="mono">{operation.toUpperCase()}</span>}
                checked={operations.includes(operation)}
                onChange={() =>
                  setOperations(
                    operations.includes(operation)
                      ? operations.filter((one) => one !== operation)
                      : [...operations, operation],
                  )
                }
              />
            ))}
          </fieldset>
          <Checkbox
            label={
              <>
                All tables
                <span className="choice-help">
                  {allTablesReason ??
                    'Including tables created later. You cannot change this afterwards.'}
                </span>
              </>
            }
            checked={all}
            disabled={allTablesReason !== undefined}
            onChange={(event) => setAll(event.target.checked)}
          />
          {!all && <p className="muted">You choose its tables next, on its own page.</p>}
        </>
      )}
    </ObjectForm>
  )
}
