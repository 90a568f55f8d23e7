import { ListPlus, Plus, Trash2 } from 'lucide-react'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { draftValue, type DraftValue } from './enum-draft.ts'

type Props = {
  values: readonly DraftValue[]
  problems: Record<string, string>
  /** The values that are there can be renamed, not removed. */
  fixed: boolean
  onValues: (values: DraftValue[]) => void
}

/** The values of an enum in their order; new ones can be put between those that are there. */
export function ValueRows({ values, problems, fixed, onValues }: Props) {
  const insertAfter = (index: number) => onValues(values.toSpliced(index + 1, 0, draftValue()))
  return (
    <fieldset className="object-rows">
      <legend className="label">Values, in their order</legend>
      {values.map(({ id, was, value }, index) => (
        <div className="object-row one two-acts" key={id}>
          <TextField
            label={`Value ${index + 1}`}
            mono
            autoComplete="off"
            error={problems[id]}
            help={was !== undefined && was !== value ? `Was ${was}` : undefined}
            value={value}
            onChange={({ target }) =>
              onValues(values.map((one) => (one.id === id ? { ...one, value: target.value } : one)))
            }
          />
          <IconButton
            className="object-row-remove"
            size="form"
            icon={ListPlus}
            label={`Add a value after ${value || index + 1}`}
            onClick={() => insertAfter(index)}
          />
          <IconButton
            className="object-row-remove"
            size="form"
            icon={Trash2}
            label={`Remove value ${value || index + 1}`}
            disabledReason={
              fixed && was !== undefined && 'Postgres has no command to remove a value'
            }
            onClick={() => onValues(values.filter((one) => one.id !== id))}
          />
        </div>
      ))}
      <Button icon={Plus} onClick={() => insertAfter(values.length - 1)}>
        Add value
      </Button>
    </fieldset>
  )
}
