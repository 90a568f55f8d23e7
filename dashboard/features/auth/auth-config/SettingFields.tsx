import { Link } from '@tanstack/react-router'
import { Lock, TriangleAlert } from 'lucide-react'
import { useProject } from '../../../session/project/project.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { closedBy, type Closed } from './setting-field.ts'
import { SettingInput } from './SettingInput.tsx'
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

type SettingNoteProps = { id?: string; closed: Closed; slug: string }

/** Why a setting cannot be changed here, and where that can be changed. */
export function ClosedNote({ id, closed: { reason, byPlan }, slug }: SettingNoteProps) {
  return (
    <p className="setting-closed" id={id}>
      <Icon of={Lock} size="xs" />
      <span>
        {reason}
        {byPlan && (
          <>
            {' '}
            <Link className="link" to="/org/$slug/billing" params={{ slug }}>
              See plans
            </Link>
          </>
        )}
      </span>
    </p>
  )
}

/** What to think of a value that is allowed all the same. */
function WarningNote({ children }: { children: string }) {
  return (
    <output className="setting-warning">
      <Icon of={TriangleAlert} size="xs" />
      {children}
    </output>
  )
}
