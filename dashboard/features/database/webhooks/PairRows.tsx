import { Plus, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { pair, type Pair } from './pairs.ts'

type Props = {
  title: string
  /** As "header". */
  one: string
  pairs: readonly Pair[]
  /** What is wrong, by the id of the row. */
  problems: Record<string, string> | undefined
  onPairs: (pairs: Pair[]) => void
  help: string
  /** Beside the button that adds a row. */
  actions?: ReactNode
}

/** Names and values in rows: headers, or parameters. */
export function PairRows({ title, one, pairs, problems = {}, onPairs, help, actions }: Props) {
  const change = (id: string, part: Partial<Pair>) =>
    onPairs(pairs.map((row) => (row.id === id ? { ...row, ...part } : row)))
  return (
    <fieldset className="object-rows">
      <legend className="label">{title}</legend>
      {pairs.map(({ id, name, value }, index) => (
        <div className="object-row settings" key={id}>
          <TextField
            label={`Name of ${one} ${index + 1}`}
            mono
            autoComplete="off"
            spellCheck={false}
            error={problems[id]}
            value={name}
            onChange={(event) => change(id, { name: event.target.value })}
          />
          <TextField
            label="Value"
            aria-label={`Value of ${one} ${index + 1}`}
            mono
            autoComplete="off"
            spellCheck={false}
            value={value}
            onChange={(event) => change(id, { value: event.target.value })}
          />
          <IconButton
            className="object-row-remove"
            size="form"
            icon={Trash2}
            label={`Remove ${one} ${name || index + 1}`}
            onClick={() => onPairs(pairs.filter((row) => row.id !== id))}
          />
        </div>
      ))}
      <div className="row">
        <Button icon={Plus} onClick={() => onPairs([...pairs, pair()])}>
          Add {one}
        </Button>
        {actions}
      </div>
      <p className="help">{help}</p>
    </fieldset>
  )
}
