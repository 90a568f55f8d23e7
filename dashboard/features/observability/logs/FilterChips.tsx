import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import type { LogFilter } from '#contract/observability/logs'
import { Button } from '../../../ui/controls/Button.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { Popover } from '../../../ui/floats/Popover.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { CommonValues } from './CommonValues.tsx'
import {
  filterText,
  opNames,
  opsFor,
  sameFilter,
  type FilterOp,
  type Question,
} from './question.ts'
import { fieldIn, type LogFieldInfo } from './sources.ts'

type Props = {
  /** Those that can be asked about. */
  fields: readonly LogFieldInfo[]
  /** Those that are shown as chips. */
  shown: readonly LogFilter[]
  filters: readonly LogFilter[]
  onFilters: (filters: readonly LogFilter[]) => void
} & Asking

/** Whose values are suggested. */
type Asking = { question: Question; now: number }

/** Conditions on any of some fields, and what adds one. */
export function FilterChips({ fields, shown, filters, question, now, onFilters }: Props) {
  const replace = (old: LogFilter, next?: LogFilter) =>
    onFilters(filters.flatMap((one) => (sameFilter(one, old) ? (next ? [next] : []) : [one])))
  return (
    <>
      {shown.map((filter) => (
        <Chip
          key={filterText(filter)}
          fields={fields}
          filter={filter}
          {...{ question, now }}
          onChange={(next) => replace(filter, next)}
          onRemove={() => replace(filter)}
        />
      ))}
      <AddFilter
        {...{ fields, question, now }}
        onAdd={(filter) => onFilters([...filters, filter])}
      />
    </>
  )
}

type AddFilterProps = Asking & {
  fields: readonly LogFieldInfo[]
  onAdd: (filter: LogFilter) => void
}

function AddFilter({ fields, question, now, onAdd }: AddFilterProps) {
  const [open, setOpen] = useState(false)
  return (
    <Popover
      label="Add a filter"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="ghost" icon={Plus}>
          Add filter
        </Button>
      }
    >
      <FilterForm
        {...{ fields, question, now }}
        onDone={(filter) => {
          setOpen(false)
          onAdd(filter)
        }}
      />
    </Popover>
  )
}

type ChipProps = Asking & {
  fields: readonly LogFieldInfo[]
  filter: LogFilter
  onChange: (filter: LogFilter) => void
  onRemove: () => void
}

/** A condition; Delete removes it while it has the focus. */
function Chip({ fields, filter, question, now, onChange, onRemove }: ChipProps) {
  const [open, setOpen] = useState(false)
  const { name } = fieldIn(fields, filter.field)
  const what = `filter on ${name}`
  return (
    <span className="chip">
      <Popover
        label={`Change the ${what}`}
        open={open}
        onOpenChange={setOpen}
        trigger={
          <button
            type="button"
            className="log-chip"
            aria-label={`Change the ${what}: ${opNames[filter.op]} ${filter.values.join(' or ')}`}
            aria-keyshortcuts="Delete"
            onKeyDown={(event) => {
              if (event.key !== 'Delete' && event.key !== 'Backspace') return
              event.preventDefault()
              onRemove()
            }}
          >
            <span>{name}</span>
            <span className="op">{opNames[filter.op]}</span>
            <span className="ell">{filter.values.join(' or ')}</span>
          </button>
        }
      >
        <FilterForm
          {...{ fields, filter, question, now }}
          onDone={(next) => {
            setOpen(false)
            onChange(next)
          }}
        />
      </Popover>
      <button type="button" aria-label={`Remove the ${what}`} onClick={onRemove}>
        <Icon of={X} size="xs" />
      </button>
    </span>
  )
}

type FilterFormProps = Asking & {
  fields: readonly LogFieldInfo[]
  filter?: LogFilter
  onDone: (filter: LogFilter) => void
}

/** A field, compared with what somebody types. */
function FilterForm({ fields, filter, question, now, onDone }: FilterFormProps) {
  const [key, setKey] = useState(filter?.field ?? fields[1]?.key ?? 'level')
  const [wanted, setWanted] = useState<FilterOp>(filter?.op ?? 'is')
  const [value, setValue] = useState(() => filter?.values.join(', ') ?? '')
  const field = fieldIn(fields, key)
  const { type } = field
  const ops = opsFor(type)
  const op = ops.includes(wanted) ? wanted : 'is'
  const takesSeveral = op === 'is' || op === 'is_not'
  const typed = (takesSeveral ? value.split(',') : [value]).map((one) => one.trim()).filter(Boolean)
  const values = type === 'number' ? typed.map(Number) : typed
  const isWrong = type === 'number' && values.some((one) => Number.isNaN(Number(one)))
  function choose(one: string) {
    const others = typed.filter((other) => other !== one)
    const next = typed.includes(one) ? others : [...others, one]
    setValue(takesSeveral ? next.join(', ') : one)
  }
  function submit() {
    if (values.length > 0 && !isWrong) onDone({ field: key, op, values: values.slice(0, 20) })
  }
  return (
    <Form
      className="log-filter-form form-stack"
      error={undefined}
      pending={false}
      onSubmit={submit}
    >
      <SelectField
        label="Field"
        options={fields.map((field) => ({
          value: field.key,
          label: field.name,
          detail: field.path,
        }))}
        value={key}
        onChange={setKey}
      />
      <SelectField
        label="Condition"
        options={ops.map((one) => ({ value: one, label: opNames[one] }))}
        value={op}
        onChange={setWanted}
      />
      <TextField
        label="Value"
        mono
        autoComplete="off"
        maxLength={500}
        inputMode={type === 'number' ? 'decimal' : 'text'}
        help={takesSeveral ? 'Several values with commas between them' : undefined}
        error={isWrong ? 'This field holds numbers' : undefined}
        value={value}
        onChange={(event) => setValue(event.target.value)}
      />
      <CommonValues {...{ question, now, field }} chosen={typed} onChoose={choose} />
      <Button type="submit" size="form" variant="primary" disabled={typed.length === 0 || isWrong}>
        Filter
      </Button>
    </Form>
  )
}
