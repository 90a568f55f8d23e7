import { Plus, ArrowRight, Trash2, X } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { typeMismatch } from '#contract/ddl/tables/foreign-keys'
import { keyActions, type KeyAction } from '#contract/ddl/tables/table-shape'
import { Button } from '../../ui/controls/Button.tsx'
import { Alert } from '../../ui/Alert.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/controls/IconButton.tsx'
import { Select, SelectField } from '../../ui/controls/Select.tsx'
import {
  draftKey,
  type DraftKey,
  type DraftTable,
  newId,
  typeOf,
  type DraftColumn,
} from './draft-table.ts'
import { schemasQuery, shapeQuery, tableListQuery } from './table-queries.ts'

type Props = {
  projectRef: string
  table: DraftTable
  problems: Record<string, string>
  onChange: (keys: DraftKey[]) => void
  /** Only keys with this column in them. */
  of?: string
}

/** What this table points to in other tables, or in itself. */
export function KeysEditor({ projectRef, table, problems, onChange, of }: Props) {
  const { keys, columns, schema } = table
  const shown = of ? keys.filter(({ pairs }) => pairs.some(({ column }) => column === of)) : keys
  return (
    <fieldset className="columns-editor">
      <legend className="section-title">Foreign keys</legend>
      {shown.map((key) => (
        <KeyFields
          key={key.id}
          projectRef={projectRef}
          draft={key}
          columns={columns}
          itself={table.was}
          home={schema}
          problem={problems[key.id]}
          onChange={(next) =>
            onChange(keys.map((one) => (one === key ? { ...one, ...next } : one)))
          }
          onRemove={() => onChange(keys.filter((one) => one !== key))}
        />
      ))}
      <Button
        icon={Plus}
        disabledReason={columns.length === 0 && 'Add a column first'}
        onClick={() => onChange([...keys, draftKey(schema, of ?? '')])}
      >
        Add foreign key
      </Button>
    </fieldset>
  )
}

type KeyFieldsProps = {
  projectRef: string
  draft: DraftKey
  columns: readonly DraftColumn[]
  /** What the form's table is called; undefined while there is none. */
  itself: { schema: string; name: string } | undefined
  /** The schema that it is or shall be in. */
  home: string
  problem: string | undefined
  onChange: (next: Partial<DraftKey>) => void
  onRemove: () => void
}

const actionLabels: Record<KeyAction, string> = {
  'NO ACTION': 'No action',
  CASCADE: 'Cascade',
  RESTRICT: 'Restrict',
  'SET DEFAULT': 'Set default',
  'SET NULL': 'Set NULL',
}
const actions = keyActions.map((value) => ({ value, label: actionLabels[value] }))

/** Names of tables stand behind a sign, so that none of them is this word. */
const thisTable = 'itself'

function KeyFields(props: KeyFieldsProps) {
  const { projectRef, draft, columns, itself, home, problem, onChange, onRemove } = props
  const { data: schemas = [] } = useQuery(schemasQuery(projectRef))
  const { data: tables = [] } = useQuery(tableListQuery(projectRef, draft.schema))
  const there = tables.find(({ name }) => name === draft.table)
  const shape = useQuery({
    ...shapeQuery(projectRef, there?.id ?? 0),
    enabled: there !== undefined,
  })
  const targets = draft.self
    ? columns.map((column) => ({
        value: column.id,
        label: column.name || 'Without a name yet',
        detail: typeOf(column),
      }))
    : (shape.data?.columns ?? []).map(({ name, type }) => ({
        value: name,
        label: name,
        detail: type,
      }))
  const isItself = (name: string) => draft.schema === itself?.schema && name === itself.name
  const others = tables
    .filter(
      ({ kind, name }) => (kind === 'table' || kind === 'partitioned_table') && !isItself(name),
    )
    .map(({ name }) => ({ value: `=${name}`, label: name }))
  const target = draft.self ? ' to this table' : draft.table && ` to ${draft.table}`
  const withoutTargets = draft.pairs.map((pair) => ({ ...pair, target: '' }))
  const pointTo = (value: string) =>
    onChange(
      value === thisTable
        ? { self: true, schema: home, table: '', pairs: withoutTargets }
        : { self: false, table: value.slice(1), pairs: withoutTargets },
    )
  const setPair = (id: string, next: { column?: string; target?: string }) =>
    onChange({ pairs: draft.pairs.map((pair) => (pair.id === id ? { ...pair, ...next } : pair)) })
  const mismatches = draft.pairs.flatMap(({ column, target: to }) => {
    const from = columns.find(({ id }) => id === column)
    const there = targets.find(({ value }) => value === to)
    const mismatch = from && there ? typeMismatch(typeOf(from), there.detail) : undefined
    return mismatch ? [mismatch] : []
  })
  return (
    <div className="key-row">
      <div className="key-target">
        <SelectField
          label="Schema"
          options={schemas.map(({ name }) => ({ value: name, label: name }))}
          value={draft.schema}
          onChange={(schema) => onChange({ schema, table: '', self: false, pairs: withoutTargets })}
        />
        <SelectField
          label="Points to"
          placeholder="Choose a table"
          error={problem}
          options={[{ value: thisTable, label: 'This table' }, ...others]}
          value={draft.self ? thisTable : draft.table ? `=${draft.table}` : undefined}
          onChange={pointTo}
        />
        <IconButton
          className="column-button"
          size="form"
          icon={Trash2}
          label={`Remove the foreign key${target}`}
          onClick={onRemove}
        />
      </div>
      {draft.pairs.map((pair) => (
        <div className="key-pair" key={pair.id}>
          <Select
            label="Column"
            placeholder="Column of this table"
            options={columns.map((column) => ({
              value: column.id,
              label: column.name || 'Without a name yet',
              detail: typeOf(column),
            }))}
            value={pair.column || undefined}
            onChange={(column) => setPair(pair.id, { column })}
          />
          <Icon of={ArrowRight} size="s" />
          <Select
            label="Target column"
            placeholder={draft.self || draft.table ? 'Referenced column' : 'Choose a table first'}
            options={targets}
            value={pair.target || undefined}
            onChange={(to) => setPair(pair.id, { target: to })}
          />
          {draft.pairs.length > 1 && (
            <IconButton
              size="form"
              icon={X}
              label="Remove this pair of columns"
              onClick={() => onChange({ pairs: draft.pairs.filter((one) => one !== pair) })}
            />
          )}
        </div>
      ))}
      <Button
        icon={Plus}
        variant="ghost"
        onClick={() =>
          onChange({ pairs: [...draft.pairs, { id: newId('pair'), column: '', target: '' }] })
        }
      >
        Add a pair of columns
      </Button>
      {mismatches.map((text) => (
        <Alert key={text} variant="warning" title={text} />
      ))}
      <div className="key-target actions">
        <SelectField
          label="When the referenced row is deleted"
          options={actions}
          value={draft.on_delete}
          onChange={(on_delete) => onChange({ on_delete })}
        />
        <SelectField
          label="When the referenced key changes"
          options={actions}
          value={draft.on_update}
          onChange={(on_update) => onChange({ on_update })}
        />
      </div>
    </div>
  )
}
