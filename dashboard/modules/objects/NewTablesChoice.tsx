import type { NewTables } from '#contract/data-api/data-api'
import { Radio, RadioGroup } from '../../ui/controls/Radio.tsx'

type Props = {
  value: NewTables
  locked: boolean
  help: string
  onChoose: (value: NewTables) => void
}

const choices: { value: NewTables; label: string; help: string }[] = [
  {
    value: 'private',
    label: 'Private until granted',
    help: 'A new table starts with row level security, and apps cannot access it until a GRANT allows anon or authenticated. Your servers reach it as service_role.',
  },
  {
    value: 'granted',
    label: 'Granted at once',
    help: 'Anyone with a key can access a new table. Where row level security is off, as in tables created with SQL, they can read and change every row.',
  },
]

/** Whether what is made from now on is open to apps. */
export const NewTablesChoice = ({ value, locked, help, onChoose }: Props) => (
  <RadioGroup label="New tables" help={help}>
    {choices.map((choice) => (
      <Radio
        key={choice.value}
        name="new-tables"
        label={choice.label}
        help={choice.help}
        checked={value === choice.value}
        disabled={locked}
        onChange={() => onChoose(choice.value)}
      />
    ))}
  </RadioGroup>
)
