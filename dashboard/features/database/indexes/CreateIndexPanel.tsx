import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { databaseObjects } from '#contract/database/database-objects'
import { sqlOf } from '#contract/ddl/change'
import {
  createIndex,
  indexMethods,
  indexName,
  mostIndexColumns,
  type IndexColumn,
  type IndexMethod,
} from '#contract/ddl/indexes'
import { useReview } from '../../../modules/objects/use-review.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { SelectField } from '../../../ui/controls/SelectField.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { IndexColumnsField } from './IndexColumnsField.tsx'
import { columnsQuery, tablesOfQuery } from './queries.ts'

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
export function CreateIndexPanel({ projectRef, schema, onClose }: Props) {
  const tables = useQuery(tablesOfQuery(projectRef, schema, ''))
  const [table, setTable] = useState<{ id: string; name: string }>()
  const [columns, setColumns] = useState<IndexColumn[]>([])
  const [method, setMethod] = useState<IndexMethod>('btree')
  const [options, setOptions] = useState({ name: '', where: '', unique: false, concurrently: true })
  const { ask, dialog } = useReview(projectRef, databaseObjects.indexes)
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

  function submit() {
    if (!change || !table) return
    const name = options.name || indexName(table.name, columns)
    ask({
      change,
      title: `Create ${name}`,
      verb: 'Create index',
      done: `${name} is created`,
      onDone: onClose,
    })
  }

  // Beside the panel and not in it: submitting the one form must not submit the other.
  return (
    <>
      <SidePanel
        open
        size="large"
        onClose={onClose}
        title={
          <>
            New index in <span className="mono">{schema}</span>
          </>
        }
        shell={(inside) => (
          <Form error={tables.error?.message} pending={false} onSubmit={submit}>
            {inside}
          </Form>
        )}
        footer={
          <>
            <Button size="form" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" size="form" variant="primary" disabled={!ready}>
              Review
            </Button>
          </>
        }
      >
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
            most={mostIndexColumns}
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
                Writes continue in the meantime. It takes longer and cannot be rolled back halfway:
                a build that fails leaves an invalid index.
              </span>
            </>
          }
          checked={options.concurrently && !partitioned}
          disabled={partitioned}
          onChange={(event) => setOptions({ ...options, concurrently: event.target.checked })}
        />
        {change && <CodeBlock code={sqlOf(change.statements)} language="sql" what="SQL" />}
      </SidePanel>
      {dialog}
    </>
  )
}

const kinds = new Set(['table', 'partitioned_table', 'materialized_view'])
