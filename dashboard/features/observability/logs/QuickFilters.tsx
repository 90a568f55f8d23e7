import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ListFilter } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { logLevels, logSources, logSourceTable } from '#contract/observability/log-sources'
import type { LogFilter } from '#contract/observability/logs'
import { Button } from '../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { Popover } from '../../../ui/floats/Popover.tsx'
import { OptionList } from '../../../ui/lists/OptionList.tsx'
import { numberText } from '../../../ui/text/number.ts'
import { levelNames } from './columns.tsx'
import { facetsQuery } from './queries.ts'
import type { Question } from './question.ts'
import { choiceIn, valuesIn, withChoice, withValues, type QuickFilter } from './quick-filters.ts'

type Props = {
  quick: readonly QuickFilter[]
  filters: readonly LogFilter[]
  question: Question
  now: number
  onFilters: (filters: readonly LogFilter[]) => void
}

/** The filters that a source is most often narrowed by, each behind a button that says what is chosen. */
export function QuickFilters({ quick: all, ...rest }: Props) {
  return all.map((quick) =>
    quick.kind === 'choices' ? (
      <ChoiceFilter key={quick.label} quick={quick} {...rest} />
    ) : (
      <ValuesFilter key={quick.label} quick={quick} {...rest} />
    ),
  )
}

type Of<Kind> = Omit<Props, 'quick'> & { quick: Extract<QuickFilter, { kind: Kind }> }

const any = ''

function ChoiceFilter({ quick, filters, onFilters }: Of<'choices'>) {
  const [open, setOpen] = useState(false)
  const chosen = choiceIn(quick, filters)
  return (
    <Popover
      label={quick.label}
      open={open}
      onOpenChange={setOpen}
      trigger={<FilterButton label={quick.label} chosen={chosen?.label} />}
    >
      <OptionList
        label={quick.label}
        value={chosen?.id ?? any}
        options={[
          { value: any, label: 'Any' },
          ...quick.choices.map(({ id, label }) => ({ value: id, label })),
        ]}
        onSelect={(id) => {
          setOpen(false)
          onFilters(withChoice(quick, filters, id))
        }}
      />
    </Popover>
  )
}

function ValuesFilter({ quick, filters, question, now, onFilters }: Of<'values'>) {
  const chosen = valuesIn(quick, filters)
  const names = chosen.map((value) => nameOf(quick.field, value))
  const shown = names.length > 2 ? `${names.length} chosen` : names.join(', ')
  return (
    <Popover
      label={quick.label}
      trigger={<FilterButton label={quick.label} chosen={shown || undefined} />}
    >
      <Values
        {...{ quick, chosen, question, now }}
        onValues={(values) => onFilters(withValues(quick, filters, values))}
      />
    </Popover>
  )
}

type ValuesProps = Pick<Of<'values'>, 'quick' | 'question' | 'now'> & {
  chosen: readonly string[]
  onValues: (values: readonly string[]) => void
}

/** The values of a field with how often they occur in the range; those that are thought of first, then the others found. */
function Values({ quick, chosen, question, now, onValues }: ValuesProps) {
  const { field, label, values } = quick
  const { data } = useQuery(facetsQuery(question, now, field))
  const counts = new Map((data?.[field] ?? []).map(({ value, count }) => [String(value), count]))
  const all = [...new Set([...values, ...chosen, ...counts.keys()])]
  return (
    <fieldset className="log-values" aria-label={label}>
      {all.map((value) => (
        <div key={value}>
          <Checkbox
            label={nameOf(field, value)}
            checked={chosen.includes(value)}
            onChange={({ target }) =>
              onValues(target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
            }
          />
          <span className="faint num">{data && numberText(counts.get(value) ?? 0)}</span>
        </div>
      ))}
      <Button variant="ghost" disabled={chosen.length === 0} onClick={() => onValues([])}>
        Clear
      </Button>
    </fieldset>
  )
}

/** A value as people read it. */
export function nameOf(field: string, value: string): string {
  if (field === 'source') {
    const source = logSources.find((one) => one === value)
    return source ? logSourceTable[source].title : value
  }
  if (field !== 'level') return value
  const level = logLevels.find((one) => one === value)
  return level ? levelNames[level] : value
}

type FilterButtonProps = { label: string; chosen: string | undefined }

function FilterButton({ label, chosen, ...trigger }: FilterButtonProps) {
  return (
    <Button
      {...trigger}
      className={chosen ? 'log-chosen' : undefined}
      variant={chosen ? 'secondary' : 'ghost'}
    >
      {chosen ? `${label}: ${chosen}` : label}
      <ChevronDown size={12} aria-hidden />
    </Button>
  )
}

/** What counts the values of fields is given. */
export type FacetsProps = {
  question: Question
  now: number
  /** It is known what can be asked. */
  enabled: boolean
  filters: readonly LogFilter[]
  onFilters: (filters: readonly LogFilter[]) => void
}

type FiltersButtonProps = {
  /** Filters that are set. */
  count: number
  children: ReactNode
}

/** The counted values of fields, where there is no room for them beside the list. */
export function FiltersButton({ count, children }: FiltersButtonProps) {
  return (
    <Popover
      label="Filters"
      trigger={
        <Button icon={ListFilter} className={count > 0 ? 'log-chosen' : undefined}>
          {count > 0 ? `Filters: ${count}` : 'Filters'}
        </Button>
      }
    >
      <div className="log-facets-float">{children}</div>
    </Popover>
  )
}
