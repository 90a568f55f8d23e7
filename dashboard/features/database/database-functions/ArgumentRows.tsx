import { useQuery } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { typeOptions } from '../../../modules/tables/column-types.ts'
import { TypeField } from '../../../modules/tables/TypeField.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { SelectField } from '../../../ui/controls/SelectField.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { draftArgument, type DraftArgument } from './function-draft.ts'
import { typesQuery } from './queries.ts'

type Props = {
  projectRef: string
  args: readonly DraftArgument[]
  problems: Record<string, string>
  onArgs: (args: DraftArgument[]) => void
}

const modes = [
  { value: 'in', label: 'In' },
  { value: 'out', label: 'Out' },
  { value: 'inout', label: 'In and out' },
  { value: 'variadic', label: 'Variadic' },
] as const

/** What is given to a function, in order. */
export function ArgumentRows({ projectRef, args, problems, onArgs }: Props) {
  const { data: types = [] } = useQuery(typesQuery(projectRef))
  const options = typeOptions(types)
  const change = (id: string, part: Partial<DraftArgument>) =>
    onArgs(args.map((arg) => (arg.id === id ? { ...arg, ...part } : arg)))
  return (
    <fieldset className="object-rows">
      <legend className="label">Arguments</legend>
      {args.map((arg, index) => (
        <div className="object-row args" key={arg.id}>
          <SelectField
            label="Mode"
            options={modes}
            value={arg.mode}
            onChange={(mode) => change(arg.id, { mode })}
          />
          <TextField
            label="Name"
            mono
            autoComplete="off"
            error={problems[arg.id]}
            value={arg.name}
            onChange={(event) => change(arg.id, { name: event.target.value })}
          />
          <TypeField
            types={options}
            value={arg.type}
            isArray={false}
            onChange={(type) => change(arg.id, { type })}
          />
          <TextField
            label="Default"
            mono
            autoComplete="off"
            placeholder="none"
            value={arg.default_value}
            onChange={(event) => change(arg.id, { default_value: event.target.value })}
          />
          <IconButton
            className="object-row-remove"
            size="form"
            icon={Trash2}
            label={`Remove argument ${arg.name || index + 1}`}
            onClick={() => onArgs(args.filter(({ id }) => id !== arg.id))}
          />
        </div>
      ))}
      <Button icon={Plus} onClick={() => onArgs([...args, draftArgument()])}>
        Add argument
      </Button>
    </fieldset>
  )
}
