import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { describeColumn, describeRelation, type Described } from '#contract/ddl/describe'
import { migrations } from '#contract/database/migrations'
import type { Column, EntityDetail, EntityKind } from '#contract/database/pg-meta-shapes'
import type { Change } from '#contract/ddl/change'
import { pgMeta } from '#contract/database/pg-meta'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Callout } from '../../../ui/Callout.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { ReviewChange } from '../../../modules/objects/ReviewChange.tsx'
import { TextArea } from '../../../ui/controls/TextField.tsx'
import { shapeQuery, tableQuery } from './queries.ts'
import type { View } from './resource.ts'
import { ExampleList } from './ExampleList.tsx'
import { type Access, tableExamples } from './examples.ts'

type Props = { projectRef: string; id: number; access: Access; language: View['language'] }

const kinds: Record<EntityKind, Described['kind']> = {
  table: 'table',
  partitioned_table: 'table',
  view: 'view',
  materialized_view: 'materialized view',
  foreign_table: 'foreign table',
}

/** One table or view: what is in it, and what a client can do with it. */
export function TableDoc({ projectRef, id, access, language }: Props) {
  const { data, error, refetch } = useQuery(tableQuery(projectRef, id))
  if (error && !data) return <ErrorNote what="table" error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton width="60%" />
  return (
    <>
      <Head projectRef={projectRef} entity={data} />
      {!data.rls_enabled && data.kind === 'table' && (
        <Callout type="warning" title="Row level security is off">
          Anyone who has the anon key can do all of this to every row.
        </Callout>
      )}
      <Grants projectRef={projectRef} entity={data} />
      <Columns projectRef={projectRef} entity={data} />
      <ExampleList examples={tableExamples(data, access)} language={language} />
    </>
  )
}

/** Roles of apps. That of servers passes by what is said here. */
const appRoles = ['anon', 'authenticated']

/** Says where nobody but a server can do what the examples show. */
function Grants({ projectRef, entity }: OfEntity) {
  const { data } = useQuery(shapeQuery(projectRef, entity.id))
  const reached = data?.access.some(
    ({ role, privileges }) => appRoles.includes(role) && privileges.length > 0,
  )
  if (!data || reached) return null
  return (
    <Callout type="note" title={`${entity.name} is not granted to apps`}>
      Requests from anon and authenticated are refused until you grant access: open the table in the
      table editor, choose Edit table and select who can reach it under API access. The service key
      works.
    </Callout>
  )
}

type OfEntity = { projectRef: string; entity: EntityDetail }

const describedOf = ({ kind, schema, name }: EntityDetail): Described => ({
  kind: kinds[kind],
  schema,
  name,
})

function Head({ projectRef, entity }: OfEntity) {
  const [asking, setAsking] = useState(false)
  const denied = useDenials(useProject(projectRef))(migrations.change)
  const of = describedOf(entity)
  return (
    <div className="doc-about">
      <p className={entity.comment ? undefined : 'muted'}>
        {entity.comment ?? 'No description yet.'}
      </p>
      <IconButton
        icon={Pencil}
        iconSize="s"
        label={`Describe ${entity.name}`}
        disabledReason={denied}
        onClick={() => setAsking(true)}
      />
      <span className="grow" />
      <Link
        className="link t12"
        to="/project/$ref/editor/$id"
        params={{ ref: projectRef, id: String(entity.id) }}
      >
        Open in the table editor
      </Link>
      {asking && (
        <DescribeDialog
          projectRef={projectRef}
          what={entity.name}
          before={entity.comment}
          changeTo={(after) => describeRelation(of, { before: entity.comment, after })}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

function Columns({ projectRef, entity }: OfEntity) {
  const [asked, setAsked] = useState<Column>()
  const denied = useDenials(useProject(projectRef))(migrations.change)
  return (
    <div className="card">
      <Table
        label={`Columns of ${entity.name}`}
        rowHeight={32}
        keyOf={({ id }: Column) => id}
        rows={entity.columns}
        empty={<p className="options-note">This table has no columns.</p>}
        columns={[
          {
            id: 'name',
            head: 'Column',
            cell: ({ name }) => (
              <span className="row">
                <span className="mono">{name}</span>
                {entity.primary_key.includes(name) && <Badge>Key</Badge>}
              </span>
            ),
          },
          {
            id: 'type',
            head: 'Type',
            cell: ({ data_type, format }) => (
              <span className="mono muted">{typeText(data_type, format)}</span>
            ),
          },
          {
            id: 'needed',
            head: 'On insert',
            wideOnly: true,
            cell: (column) => <span className="muted">{needOf(column)}</span>,
          },
          {
            id: 'about',
            head: 'Description',
            width: '40%',
            cell: (column) => (
              <span className="row">
                <span
                  className={column.comment ? 'ell' : 'faint'}
                  title={column.comment ?? undefined}
                >
                  {column.comment ?? 'None'}
                </span>
                <IconButton
                  icon={Pencil}
                  iconSize="s"
                  label={`Describe ${column.name}`}
                  disabledReason={denied}
                  onClick={() => setAsked(column)}
                />
              </span>
            ),
          },
        ]}
      />
      {asked && (
        <DescribeDialog
          projectRef={projectRef}
          what={`${entity.name}.${asked.name}`}
          before={asked.comment}
          changeTo={(after) =>
            describeColumn(describedOf(entity), asked.name, { before: asked.comment, after })
          }
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  )
}

/** As SQL spells it: `text[]`, `mood`. */
function typeText(type: string, format: string): string {
  if (type === 'ARRAY') return `${format.replace(/^_/, '')}[]`
  return type === 'USER-DEFINED' ? format : type
}

function needOf({ is_generated, is_identity, is_nullable, default_value }: Column): string {
  if (is_generated || is_identity) return 'generated'
  if (default_value !== null) return 'has a default'
  return is_nullable ? 'optional' : 'required'
}

type DescribeDialogProps = {
  projectRef: string
  /** What is described, as "books.title". */
  what: string
  before: string | null
  /** The change that makes these the words. */
  changeTo: (after: string | null) => Change
  onClose: () => void
}

/** Says what a table or column is about: first the words, then the SQL that writes them down. */
function DescribeDialog({ projectRef, what, before, changeTo, onClose }: DescribeDialogProps) {
  const [words, setWords] = useState(before ?? '')
  const [change, setChange] = useState<Change>()
  if (change)
    return (
      <ReviewChange
        projectRef={projectRef}
        change={change}
        title={
          <>
            Describe <span className="mono">{what}</span>
          </>
        }
        verb="Save description"
        onClose={onClose}
        changes={[pgMeta.entity, pgMeta.entities]}
        onDone={onClose}
      />
    )
  return (
    <FormDialog
      title={
        <>
          Describe <span className="mono">{what}</span>
        </>
      }
      size="large"
      verb="Review SQL"
      disabled={words.trim() === (before ?? '')}
      onSubmit={() => setChange(changeTo(words.trim() || null))}
      onClose={onClose}
    >
      <TextArea
        label="Description"
        help="Stored in the database as a comment. Tools and generated types show it."
        maxLength={2000}
        rows={4}
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
    </FormDialog>
  )
}
