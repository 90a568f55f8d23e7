import { useQuery } from '@tanstack/react-query'
import { ArrowDown, X } from 'lucide-react'
import { useState } from 'react'
import { databaseObjects } from '#contract/database/database-objects'
import { pgMeta } from '#contract/database/pg-meta'
import { sqlOf } from '#contract/ddl/change'
import {
  createIndex,
  indexMethods,
  indexName,
  maxIndexColumns,
  type IndexColumn,
  type IndexMethod,
} from '#contract/ddl/indexes'
import { ObjectForm } from '../../../modules/objects/ObjectForm.tsx'
import { databaseQuery } from '../../../session/project/database.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { Field } from '../../../ui/controls/Field.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Select, SelectField } from '../../../ui/controls/Select.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'

/** What tells of indexes, and is old when one has changed. */
export const ofIndexes = [databaseObjects.indexes]

const tablesQuery = (ref: string, schema: string) =>
  databaseQuery(pgMeta.entities, { ref, schema, limit: 200 }, 10_000)

const columnsQuery = (ref: string, id: number) => databaseQuery(pgMeta.entity, { ref, id }, 10_000)

type Props = { projectRef: string; schema: string; onClose: () => void }

const about: Record<IndexMethod, string> = {
  btree: 'equality, order and ranges; the default',
  hash: 'equality of long values only',
  gist: 'shapes, ranges, nearest neighbours',
  spgist: 'unbalanced data, prefixes, points',
  brin: 'huge tables that were filled in order',
  gin: 'arrays, JSON and full text',
}

/** What the new index is on and of which kind, with its SQL as it grows. */
export function IndexForm({ projectRef, schema, onClose }: Props) {
  const tables = useQuery(tablesQuery(projectRef, schema))
  const [table, setTable] = useState<{ id: string; name: string }>()
  const [columns, setColumns] = useState<IndexColumn[]>([])
  const [method, setMethod] = useState<IndexMethod>('btree')
  const [options, setOptions] = useState({ name: '', where: '', unique: false, concurrently: true })
  const entity = useQuery({
    ...columnsQuery(projectRef, Number(table?.id)),
    enabled: Boolean(table),
  })
  const indexable = tables.data?.entities.filter(({ kind }) => kinds.has(kind)) ?? []
  // Postgres builds those of a partitioned table one partition after the other, never concurrently.
  const partitioned = entity.data?.kind === 'partitioned_table'
  const ready = table !== undefined && columns.length > 0
  const change = ready
    ? createIndex({
        schema,
        table: table.name,
        columns,
        method,
        ...options,
        unique: options.unique && method === 'btree',
        concurrently: options.concurrently && !partitioned,
      })
    : undefined

  const name = options.name || (table ? indexName(table.name, columns) : '')
  return (
    <ObjectForm
      projectRef={projectRef}
      size="large"
      title={
        <>
          New index in <span className="mono">{schema}</span>
        </>
      }
      review="Review"
      asked={
        change && {
          change,
          title: `Create ${name}`,
          verb: 'Create index',
          done: `${name} is created`,
        }
      }
      error={tables.error?.message}
      forgets={ofIndexes}
      onClose={onClose}
    >
      {() => (
        <>
          <SelectField
            label="Table"
            value={table?.id}
            placeholder="Choose a table"
            options={indexable.map(({ id, name }) => ({ value: String(id), label: name }))}
            onChange={(id) => {
              setTable({ id, name: indexable.find((one) => String(one.id) === id)?.name ?? '' })
              setColumns([])
            }}
          />
          {table && (
            <IndexColumnsField
              columns={columns}
              offered={entity.data?.columns ?? []}
              ordered={method === 'btree'}
              max={maxIndexColumns}
              onChange={setColumns}
            />
          )}
          <SelectField
            label="Type"
            value={method}
            onChange={setMethod}
            options={indexMethods.map((one) => ({ value: one, label: one, detail: about[one] }))}
          />
          <TextField
            label="Name"
            mono
            autoComplete="off"
            placeholder={table && columns.length > 0 ? indexName(table.name, columns) : ''}
            value={options.name}
            onChange={(event) => setOptions({ ...options, name: event.target.value })}
          />
          <TextField
            label="Only rows where"
            mono
            autoComplete="off"
            placeholder="deleted_at is null"
            help="A SQL condition. The index leaves out rows that do not match, which makes it smaller."
            value={options.where}
            onChange={(event) => setOptions({ ...options, where: event.target.value })}
          />
          <Checkbox
            label={
              <>
                Unique
                <span className="choice-help">
                  No two rows can have the same values. Only btree supports this.
                </span>
              </>
            }
            checked={options.unique}
            disabled={method !== 'btree'}
            onChange={(event) => setOptions({ ...options, unique: event.target.checked })}
          />
          <Checkbox
            label={
              <>
                Build concurrently
                <span className="choice-help">
                  Writes continue in the meantime. It takes longer and cannot be rolled back
                  halfway: a build that fails leaves an invalid index.
                </span>
              </>
            }
            checked={options.concurrently && !partitioned}
            disabled={partitioned}
            onChange={(event) => setOptions({ ...options, concurrently: event.target.checked })}
          />
          {change && <CodeBlock code={sqlOf(change.statements)} language="sql" what="SQL" />}
        </>
      )}
    </ObjectForm>
  )
}

const kinds = new Set(['table', 'partitioned_table', 'materialized_view'])

type ColumnsProps = {
  columns: readonly IndexColumn[]
  offered: readonly { name: string; format: string }[]
  /** Each column can go up or down. */
  ordered: boolean
  max: number
  onChange: (columns: IndexColumn[]) => void
}

/** The columns of an index, in the order in which they count. */
function IndexColumnsField({ columns, offered, ordered, max, onChange }: ColumnsProps) {
  const rest = offered.filter(({ name }) => columns.every((column) => column.name !== name))
  const full = columns.length >= max
  return (
    <Field
      label="Columns"
      help={full ? `An index has at most ${max} columns.` : 'List columns in the order you search.'}
    >
      {(control) => (
        <div className="form-stack">
          {columns.map((column, at) => (
            <div className="row" key={column.name}>
              <span className="mono grow ell">{column.name}</span>
              {ordered && (
                <Button
                  aria-pressed={column.descending === true}
                  onClick={() =>
                    onChange(columns.with(at, { ...column, descending: !column.descending }))
                  }
                >
                  {column.descending ? 'Descending' : 'Ascending'}
                </Button>
              )}
              {at < columns.length - 1 && (
                <IconButton
                  icon={ArrowDown}
                  label={`Move ${column.name} down`}
                  onClick={() => onChange(swapped(columns, at))}
                />
              )}
              <IconButton
                icon={X}
                label={`Leave ${column.name} out`}
                onClick={() => onChange(columns.filter((one) => one !== column))}
              />
            </div>
          ))}
          {!full && rest.length > 0 && (
            <Select
              {...control}
              label="Column"
              placeholder="Add a column"
              value={undefined}
              options={rest.map(({ name, format }) => ({
                value: name,
                label: name,
                detail: format,
              }))}
              onChange={(name) => onChange([...columns, { name }])}
            />
          )}
        </div>
      )}
    </Field>
  )
}

function swapped(columns: readonly IndexColumn[], at: number): IndexColumn[] {
  return columns.flatMap((column, i) => {
    const next = columns[at + 1]
    if (i === at + 1) return []
    return i === at && next ? [next, column] : [column]
  })
}
