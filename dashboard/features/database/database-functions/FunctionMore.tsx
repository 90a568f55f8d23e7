import { Plus, Trash2 } from 'lucide-react'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Radio, RadioGroup } from '../../../ui/controls/Radio.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { draftSetting, type DraftSetting, type FunctionDraft } from './function-draft.ts'
import type { FieldsProps } from './FunctionFields.tsx'

const behaviors = [
  { value: 'VOLATILE', label: 'Volatile', detail: 'may change data, runs every time' },
  { value: 'STABLE', label: 'Stable', detail: 'reads only, same within one query' },
  { value: 'IMMUTABLE', label: 'Immutable', detail: 'always the same result' },
] as const

/** How a function runs: with whose rights, with which settings, and what the planner may assume. */
export function FunctionMore({ draft, problems, onDraft }: FieldsProps) {
  const change = (part: Partial<FunctionDraft>) => onDraft({ ...draft, ...part })
  const set = (id: string, part: Partial<DraftSetting>) =>
    change({ settings: draft.settings.map((one) => (one.id === id ? { ...one, ...part } : one)) })
  const openPath =
    draft.security_definer && !draft.settings.some(({ name }) => name.trim() === 'search_path')
  return (
    <>
      <RadioGroup label="Security">
        <Radio
          name="security"
          label="Invoker"
          help="It runs with its caller's privileges."
          checked={!draft.security_definer}
          onChange={() => change({ security_definer: false })}
        />
        <Radio
          name="security"
          label="Definer"
          help="It runs with its owner's privileges, no matter who calls it. The caller's row level security does not apply."
          checked={draft.security_definer}
          onChange={() => change({ security_definer: true })}
        />
      </RadioGroup>
      {openPath && (
        <Alert
          variant="warning"
          title="It has no search path of its own, so its caller decides what its names refer to"
        >
          Add the setting search_path with an empty value and write names with their schema.
        </Alert>
      )}
      {draft.kind === 'function' && (
        <>
          <SelectField
            label="Behavior"
            options={behaviors}
            value={draft.behavior}
            onChange={(behavior) => change({ behavior })}
          />
          <Checkbox
            label={
              <>
                Null in, null out
                <span className="choice-help">It is not called when an argument is NULL.</span>
              </>
            }
            checked={draft.strict}
            onChange={(event) => change({ strict: event.target.checked })}
          />
        </>
      )}
      <fieldset className="object-rows">
        <legend className="label">Settings while it runs</legend>
        {draft.settings.map((setting) => (
          <div className="object-row settings" key={setting.id}>
            <TextField
              label="Setting"
              mono
              autoComplete="off"
              error={problems[setting.id]}
              value={setting.name}
              onChange={(event) => set(setting.id, { name: event.target.value })}
            />
            <TextField
              label="Value"
              mono
              autoComplete="off"
              placeholder="empty"
              value={setting.value}
              onChange={(event) => set(setting.id, { value: event.target.value })}
            />
            <IconButton
              className="object-row-remove"
              size="form"
              icon={Trash2}
              label={`Remove setting ${setting.name}`}
              onClick={() =>
                change({ settings: draft.settings.filter(({ id }) => id !== setting.id) })
              }
            />
          </div>
        ))}
        <Button
          icon={Plus}
          onClick={() => change({ settings: [...draft.settings, draftSetting()] })}
        >
          Add setting
        </Button>
        <p className="help">
          With an empty search_path, no one can change what its names refer to. Write them with
          their schema, such as public.books.
        </p>
      </fieldset>
      <TextField
        label="Description"
        autoComplete="off"
        help="One line that tells others what it is for."
        value={draft.comment}
        onChange={(event) => change({ comment: event.target.value })}
      />
    </>
  )
}
