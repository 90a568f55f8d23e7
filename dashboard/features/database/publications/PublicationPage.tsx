import { useQuery } from '@tanstack/react-query'
import { Table2 } from 'lucide-react'
import { databaseObjects } from '#contract/database/database-objects'
import { changePublication, publishedOperations } from '#contract/ddl/publications'
import type { Entity } from '#contract/database/pg-meta-shapes'
import { SchemaSelect } from '../../../modules/objects/SchemaSelect.tsx'
import { useReview } from '../../../modules/objects/ReviewChange.tsx'
import { useWindowName } from '../../../session/window-name.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Switch } from '../../../ui/controls/Switch.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import {
  askToDropPublication,
  extentOf,
  OperationSwitch,
  publicationThere,
  usePublicationReasons,
} from './publication-parts.tsx'
import { publicationQuery, tablesAtOnce, tablesQuery } from './queries.ts'
import '../../../ui/lists/list-page.css'
import { numberText } from '../../../ui/text/number.ts'

export type TableFilter = { schema?: string | undefined; q?: string | undefined }
type Props = {
  projectRef: string
  id: number
  /** Its name and extent unless told. */
  title?: string
  help?: string
  filter: TableFilter
  onFilter: (filter: TableFilter) => void
  onDeleted: () => unknown
}

/** /project/{ref}/database/publications/{id}: which tables it publishes. */
export function PublicationPage({ projectRef, id, title, help, ...props }: Props) {
  const { filter, onFilter, onDeleted } = props
  const { schema = 'public', q = '' } = filter
  const found = useQuery(publicationQuery(projectRef, id))
  const tables = useQuery(tablesQuery(projectRef, schema, q))
  const { ask, dialog } = useReview(
    projectRef,
    databaseObjects.publication,
    databaseObjects.publications,
  )
  const reasons = usePublicationReasons(projectRef)
  const publication = found.data
  useWindowName(title ? undefined : publication?.name)
  if (!publication) {
    return (
      <Page>
        <PageHead title={title ?? 'Publication'} />
        {found.error && (
          <ErrorNote what="Publication" error={found.error} onRetry={() => void found.refetch()} />
        )}
      </Page>
    )
  }
  const { name } = publication
  const there = publicationThere(publication)
  const why = reasons.change(publication)
  const has = (table: Entity) =>
    there.tables === null ||
    publication.schemas.includes(table.schema) ||
    there.tables.some((one) => one.schema === table.schema && one.name === table.name)
  const fixed = (table: Entity) =>
    why ??
    (there.tables === null
      ? 'It publishes every table'
      : publication.schemas.includes(table.schema)
        ? `It publishes the whole schema ${table.schema}`
        : undefined)

  function turn({ schema: of, name: table, ...entity }: Entity) {
    const listed = there.tables ?? []
    const on = has({ schema: of, name: table, ...entity })
    const next = on
      ? listed.filter((one) => one.schema !== of || one.name !== table)
      : [...listed, { schema: of, name: table }]
    ask({
      change: changePublication(there, { tables: next }),
      title: on ? `Stop publishing ${table}` : `Publish ${table}`,
      verb: 'Change publication',
      done: on ? `${table} is no longer published` : `${table} is published`,
    })
  }

  return (
    <Page>
      <PageHead
        title={title ?? name}
        help={help ?? `${extentOf(publication)} · owner ${publication.owner}`}
        actions={
          <Button
            variant="danger"
            disabledReason={why}
            onClick={() => ask({ ...askToDropPublication(publication), onAnswer: onDeleted })}
          >
            Delete publication
          </Button>
        }
      />
      {publication.has_more && (
        <Alert variant="info" title="It has settings that this page does not show">
          Row filters, column lists or whole schemas were set with SQL and stay as they are.
        </Alert>
      )}
      <div className="narrow-bar">
        {publishedOperations.map((operation) => (
          <span className="op" key={operation}>
            <OperationSwitch publication={publication} operation={operation} why={why} ask={ask} />
            <span className="mono">{operation}</span>
          </span>
        ))}
      </div>
      <div className="narrow-bar">
        <div className="narrow-select">
          <SchemaSelect
            projectRef={projectRef}
            schema={schema}
            onSchema={(next) => onFilter({ ...filter, schema: next })}
          />
        </div>
        <SearchField
          label="Find a table"
          value={q}
          onChange={(next) => onFilter({ ...filter, q: next })}
        />
      </div>
      <div className="card">
        <Table
          key={`${schema} ${q}`}
          label="Tables"
          columns={[
            {
              id: 'name',
              head: 'Table',
              sortBy: (table: Entity) => table.name,
              cell: (table) => <span className="mono">{table.name}</span>,
            },
            {
              id: 'comment',
              head: 'Description',
              wideOnly: true,
              cell: ({ comment }) => <span className="muted ell">{comment}</span>,
            },
            {
              id: 'on',
              head: 'Published',
              width: '110px',
              sortBy: has,
              cell: (table) => (
                <span title={fixed(table)}>
                  <Switch
                    label={<span className="sr">{`${table.name} is published`}</span>}
                    checked={has(table)}
                    disabled={fixed(table) !== undefined}
                    onChange={() => turn(table)}
                  />
                </span>
              ),
            },
          ]}
          rows={tables.data?.entities.filter(({ kind }) => publishable.has(kind))}
          keyOf={(table) => String(table.id)}
          error={tables.error}
          onRetry={() => void tables.refetch()}
          empty={
            <EmptyState
              icon={Table2}
              title="No table found"
              action={
                q ? <Button onClick={() => onFilter({ schema })}>Show all</Button> : undefined
              }
            >
              {q ? `No table of ${schema} has “${q}” in its name.` : `${schema} has no table yet.`}
            </EmptyState>
          }
        />
      </div>
      {tables.data && tables.data.total > tablesAtOnce && (
        <p className="muted page-tail">
          The first {tablesAtOnce} of {numberText(tables.data.total)}. Search by name to find the
          others.
        </p>
      )}
      {dialog}
    </Page>
  )
}

const publishable = new Set(['table', 'partitioned_table'])
