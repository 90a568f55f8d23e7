import { Plus, Trash2 } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { draftArg, modes, type TriggerDraft } from './trigger-draft.ts'
import type { FieldsProps } from './TriggerFields.tsx'

/** What else decides whether it fires, and what it is given. */
export function TriggerMore({ draft, onDraft }: FieldsProps) {
  const change = (part: Partial<TriggerDraft>) => onDraft({ ...draft, ...part })
  return (
    <>
      <TextArea
        label="Condition"
        mono
        rows={2}
        spellCheck={false}
        placeholder="new.status is distinct from old.status"
        help="It fires only where this is true. Empty: always."
        value={draft.condition}
        onChange={(event) => change({ condition: event.target.value })}
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
        <p className="help">Texts, which the function finds in TG_ARGV.</p>
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
