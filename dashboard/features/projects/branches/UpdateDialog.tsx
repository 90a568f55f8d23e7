import { useState } from 'react'
import {
  settingName,
  type SettingConflict,
  type SettingName,
} from '#contract/projects/branch-travel'
import { Alert } from '../../../ui/Alert.tsx'
import { Radio, RadioGroup } from '../../../ui/controls/Radio.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { shownValue } from './setting-value.ts'

type Props = {
  conflicts: readonly SettingConflict[]
  error: string | undefined
  pending: boolean
  onClose: () => void
  onUpdate: (takeMain: SettingName[]) => void
}

/** Updates a branch where both sides have changed the same settings: for each of them a side is taken. */
export function UpdateDialog({ conflicts, error, pending, onClose, onUpdate }: Props) {
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set())
  const take = (name: string, main: boolean) => {
    const next = new Set(taken)
    if (main) next.add(name)
    else next.delete(name)
    setTaken(next)
  }
  return (
    <FormDialog
      title="Update from main"
      verb="Update from main"
      pending={pending}
      onSubmit={() =>
        onUpdate(
          conflicts
            .filter((one) => taken.has(settingName(one)))
            .map(({ area, name }) => ({ area, name })),
        )
      }
      onClose={onClose}
    >
      <div className="form-stack">
        <p>Both sides have changed these settings. Choose what this branch has from now on.</p>
        {conflicts.map((one) => {
          const name = settingName(one)
          return (
            <RadioGroup key={name} label={name}>
              <Radio
                name={name}
                label="Keep the value of this branch"
                help={shortened(one.branch)}
                checked={!taken.has(name)}
                onChange={() => take(name, false)}
              />
              <Radio
                name={name}
                label="Take the value of main"
                help={shortened(one.main)}
                checked={taken.has(name)}
                onChange={() => take(name, true)}
              />
            </RadioGroup>
          )
        })}
        {error && <Alert variant="danger" title={error} />}
      </div>
    </FormDialog>
  )
}

const longest = 200
function shortened(value: unknown): string {
  const text = shownValue(value)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
