import { Plus, Trash2 } from 'lucide-react'
import { queryClient } from '../../../api/client.ts'
import { columnWords } from '../../../modules/objects/column-words.ts'
import { modes, triggerTablesQuery } from '../../../modules/objects/triggers.ts'
import type { CodeWord } from '../../../ui/code/offer-words.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { CodeField } from '../../../ui/controls/CodeField.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { SelectField } from '../../../ui/controls/SelectField.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { draftArg, type TriggerDraft } from './trigger-draft.ts'
import type { FieldsProps } from './TriggerFields.tsx'

/** The row as it was and is, and its columns. */
async function rowWords(ref: string, { schema, table }: TriggerDraft): Promise<CodeWord[]> {
  const rows = ['new', 'old'].map((name) => ({ label: name, insert: name, about: 'row' }))
  if (table === '') return rows
  const { entities } = await queryClient.ensureQueryData(
    triggerTablesQuery(ref, schema, { search: table }),
  )
  const id = entities.find(({ name }) => name === table)?.id
  return id === undefined ? rows : [...rows, ...(await columnWords(ref, id))]
}

/** What else decides whether it fires, and what it is given. */
export function TriggerMore({ projectRef, draft, onDraft }: FieldsProps) {
  const change = (part: Partial<TriggerDraft>) => onDraft({ ...draft, ...part })
  return (
    <>
      <CodeField
        label="Condition"
        lines={[2, 10]}
        placeholder="new.status is distinct from old.status"
        help="The trigger fires only if this is true. Leave empty to fire every time."
        words={() => rowWords(projectRef, draft)}
        value={draft.condition}
        onValue={(condition) => change({ condition })}
      />
      <fieldset className="object-rows">
        <legend className="label">Arguments of the function</legend>
        {draft.args.map((arg, index) => (
          <div className="object-row one" key={arg.id}>
            <TextField
              label={`Argument ${index + 1}`}
              mono
              autoComplete="off"
              value={arg.value}
              onChange={({ target }) =>
                change({
                  args: draft.args.map((one) =>
                    one.id === arg.id ? { ...one, value: target.value } : one,
                  ),
                })
              }
            />
            <IconButton
              className="object-row-remove"
              size="form"
              icon={Trash2}
              label={`Remove argument ${index + 1}`}
              onClick={() => change({ args: draft.args.filter(({ id }) => id !== arg.id) })}
            />
          </div>
        ))}
        <Button icon={Plus} onClick={() => change({ args: [...draft.args, draftArg()] })}>
          Add argument
        </Button>
        <p className="help">Text values that the function reads from TG_ARGV.</p>
      </fieldset>
      <SelectField
        label="Enabled"
        options={modes}
        value={draft.enabled_mode}
        onChange={(enabled_mode) => change({ enabled_mode })}
      />
    </>
  )
}
