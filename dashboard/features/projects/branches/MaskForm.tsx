import { useState } from 'react'
import { maskKinds, type BranchMask, type MaskKind } from '#contract/projects/branch-masks'
import { Alert } from '../../../ui/Alert.tsx'
import { Radio, RadioGroup } from '../../../ui/controls/Radio.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'

type Props = {
  /** Columns that are in the list. */
  known: readonly string[]
  pending: boolean
  error: string | undefined
  onSave: (mask: BranchMask) => void
  onClose: () => void
}

const isKind = (word: string): word is MaskKind => maskKinds.some((kind) => kind === word)

/** Adds a column to those that no branch gets the values of. */
export function MaskForm({ known, pending, error, onSave, onClose }: Props) {
  const [column, setColumn] = useState('')
  const [kind, setKind] = useState<MaskKind>('hash')
  const [text, setText] = useState('')
  const [tried, setTried] = useState(false)
  const parts = column.trim().split('.')
  const [schema = '', table = '', name = ''] = parts
  const isWhole = parts.length === 3 && schema !== '' && table !== '' && name !== ''
  const problem = !isWhole
    ? 'Write it as schema.table.column'
    : known.includes(column.trim())
      ? 'This column is in the list'
      : undefined
  const textProblem = kind === 'fixed' && text === '' ? 'Enter a text' : undefined

  function submit() {
    setTried(true)
    if (problem || textProblem) return
    onSave({ schema, table, column: name, kind, text: kind === 'fixed' ? text : '' })
  }
  return (
    <FormDialog
      title="Mask a column"
      verb="Add column"
      pending={pending}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="form-stack">
        <TextField
          label="Column"
          mono
          autoComplete="off"
          spellCheck={false}
          placeholder="public.customers.email"
          help="As schema.table.column. Of users, auth.users.email and auth.users.phone can be masked."
          value={column}
          error={tried ? problem : undefined}
          onChange={(event) => setColumn(event.target.value)}
        />
        <RadioGroup label="Value in branches">
          {Object.entries(maskWords).map(([each, { name: label, about }]) => (
            <Radio
              key={each}
              name="kind"
              label={label}
              help={about}
              checked={kind === each}
              onChange={() => isKind(each) && setKind(each)}
            />
          ))}
        </RadioGroup>
        {kind === 'fixed' && (
          <TextField
            label="Text"
            autoComplete="off"
            value={text}
            error={tried ? textProblem : undefined}
            onChange={(event) => setText(event.target.value)}
          />
        )}
        {error && <Alert variant="danger" title={error} />}
      </div>
    </FormDialog>
  )
}

/** How the values that stand in the place of others are called, in the order in which they are offered. */
export const maskWords: Record<MaskKind, { name: string; about: string }> = {
  hash: {
    name: 'Hash',
    about: 'Equal values stay equal within a branch. Nobody can work out what they were.',
  },
  fake_email: { name: 'Made-up email', about: 'Such as user-42@example.com, one for each row.' },
  fixed: { name: 'Fixed text', about: 'The same text in all rows.' },
  empty: { name: 'Empty text', about: 'An empty text in all rows.' },
  null: { name: 'Null', about: 'No value. For columns of any type that may be null.' },
}
