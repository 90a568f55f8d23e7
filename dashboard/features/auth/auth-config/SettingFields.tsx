import { useProject } from '../../../session/project/use-project.ts'
import { closedBy } from './closed.ts'
import { SettingInput } from './SettingInput.tsx'
import { ClosedNote, WarningNote } from './SettingNote.tsx'
import { problemIn, valuesOf } from './settings-form.ts'
import type { SettingsForm } from './use-settings.ts'
import './auth-config.css'

type Props = { projectRef: string; settings: SettingsForm }

/** The fields of a form of settings: those that make sense with what it says now, each with what stands in its way. */
export function SettingFields({ projectRef, settings }: Props) {
  const { form, shown, values, config, reason, plan } = settings
  const { organizationSlug } = useProject(projectRef)
  return shown.map((field) => {
    const { key } = field
    const closed = closedBy(key, plan)
    const locked = reason !== undefined || closed !== undefined
    const error = form.formState.errors[key]?.message
    const warning = error ? undefined : field.warning?.(String(values[key] ?? ''))
    return (
      <div key={key} className="setting">
        <SettingInput
          field={field}
          locked={locked}
          error={error}
          value={locked ? valuesOf(config, [field])[key] : values[key]}
          kept={config[key] !== ''}
          control={form.control}
          input={form.register(key, {
            validate: (value) => problemIn(field, value ?? '') ?? true,
          })}
        />
        {warning && <WarningNote>{warning}</WarningNote>}
        {closed && <ClosedNote closed={closed} slug={organizationSlug} />}
      </div>
    )
  })
}
