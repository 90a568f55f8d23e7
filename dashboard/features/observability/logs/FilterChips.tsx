import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { LogFilter } from '#contract/observability/logs'
import { Button } from '../../../ui/controls/Button.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { AddFilter, FilterChip } from '../../../ui/floats/FilterChip.tsx'
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
      {shown.map((filter) => {
        const { name } = fieldIn(fields, filter.field)
        const values = filter.values.join(' or ')
        return (
          <FilterChip
            key={filterText(filter)}
            what={`filter on ${name}`}
            words={`${opNames[filter.op]} ${values}`}
            parts={
              <>
                <span>{name}</span>
                <span className="op">{opNames[filter.op]}</span>
                <span className="ell">{values}</span>
              </>
            }
            form={(close) => (
              <FilterForm
                {...{ fields, filter, question, now }}
                onDone={(next) => {
                  close()
                  replace(filter, next)
                }}
              />
            )}
            onRemove={() => replace(filter)}
          />
        )
      })}
      <AddFilter
        label="Add a filter"
        trigger={
          <Button variant="ghost" icon={Plus}>
            Add filter
          </Button>
        }
        form={(close) => (
          <FilterForm
            {...{ fields, question, now }}
            onDone={(filter) => {
              close()
              onFilters([...filters, filter])
            }}
          />
        )}
      />
    </>
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
