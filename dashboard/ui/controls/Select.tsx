import { ChevronsUpDown } from 'lucide-react'
import { useState } from 'react'
import { cx } from '../cx.ts'
import { Icon } from '../Icon.tsx'
import { OptionList } from '../lists/OptionList.tsx'
import { Popover } from '../floats/Popover.tsx'
import type { Option } from './options.ts'
import { Field, type FieldProps } from './Field.tsx'

type Props<Value extends string> = {
  id?: string
  label: string
  options: readonly Option<Value>[]
  value: Value | undefined
  onChange: (value: Value) => void
  placeholder?: string
  size?: 'tool' | 'form'
  disabled?: boolean | undefined
  'aria-invalid'?: true | undefined
  'aria-describedby'?: string | undefined
}

/** Beyond this many options the list gets a search box. */
const searchFrom = 8

/** Chooses one option from a list that can be searched. In a form use SelectField. */
export function Select<Value extends string>({
  id,
  label,
  options,
  value,
  onChange,
  placeholder = 'Choose',
  size = 'form',
  disabled,
  ...control
}: Props<Value>) {
  const [open, setOpen] = useState(false)
  const chosen = options.find((option) => option.value === value)
  return (
    <Popover
      fit
      label={label}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button
          {...control}
          id={id}
          type="button"
          className={cx('in sel', size === 'form' && 'f')}
          aria-haspopup="listbox"
          disabled={disabled}
          aria-disabled={disabled || undefined}
          aria-label={`${label}: ${chosen?.label ?? placeholder}`}
        >
          {chosen?.before}
          {chosen ? (
            <span className="ell">{chosen.label}</span>
          ) : (
            <span className="ph">{placeholder}</span>
          )}
          <span className="mono faint grow ell">{chosen?.detail}</span>
          <Icon of={ChevronsUpDown} size="xs" />
        </button>
      }
    >
      <OptionList
        label={label}
        options={options}
        value={value}
        search={options.length >= searchFrom ? 'Search' : undefined}
        onSelect={(next) => {
          onChange(next)
          setOpen(false)
        }}
      />
    </Popover>
  )
}

type SelectFieldProps<Value extends string> = Omit<FieldProps, 'label'> & {
  label: string
  options: readonly Option<Value>[]
  value: Value | undefined
  onChange: (value: Value) => void
  placeholder?: string
  disabled?: boolean | undefined
}

export function SelectField<Value extends string>({
  label,
  help,
  error,
  labelEnd,
  ...select
}: SelectFieldProps<Value>) {
  return (
    <Field label={label} help={help} error={error} labelEnd={labelEnd}>
      {(control) => <Select label={label} {...control} {...select} />}
    </Field>
  )
}
