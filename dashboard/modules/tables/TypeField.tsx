import { ChevronsUpDown } from 'lucide-react'
import { useState } from 'react'
import { Field } from '../../ui/controls/Field.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { OptionList } from '../../ui/lists/OptionList.tsx'
import { matching, type Option } from '../../ui/controls/options.ts'
import { Popover } from '../../ui/floats/Popover.tsx'

type Props = {
  types: readonly Option[]
  value: string
  isArray: boolean
  help?: string | undefined
  onChange: (type: string) => void
}

/** Chooses a type by searching, or takes one as it is typed: `varchar(20)`, `numeric(10,2)`. */
export function TypeField({ types, value, isArray, help, onChange }: Props) {
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const chosen = types.find((option) => option.value === value)
  const own = typed.trim()
  const choose = (type: string) => {
    setOpen(false)
    setTyped('')
    onChange(type)
  }
  return (
    <Field label="Type" help={help}>
      {(control) => (
        <Popover
          fit
          label="Type"
          open={open}
          onOpenChange={setOpen}
          trigger={
            <button
              {...control}
              type="button"
              className="in sel f mono"
              aria-haspopup="listbox"
              aria-label={`Type: ${chosen?.label ?? value}${isArray ? ' list' : ''}`}
            >
              <span className="ell grow">
                {chosen?.label ?? value}
                {isArray && '[]'}
              </span>
              <Icon of={ChevronsUpDown} size="xs" />
            </button>
          }
        >
          <OptionList
            label="Type"
            search="Find a type"
            nothing="No type has this name"
            options={types}
            value={value}
            onType={setTyped}
            onSelect={choose}
            footer={
              own !== '' &&
              !matching(types, own).some(({ label }) => label === own) && (
                <button type="button" className="mi" onClick={() => choose(own)}>
                  <span>
                    Use <span className="mono">{own}</span>
                  </span>
                </button>
              )
            }
          />
        </Popover>
      )}
    </Field>
  )
}
