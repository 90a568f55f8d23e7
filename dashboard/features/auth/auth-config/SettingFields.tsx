import { Link } from '@tanstack/react-router'
import { Lock, TriangleAlert } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { Controller, type Control, type UseFormRegisterReturn } from 'react-hook-form'
import { useProject } from '../../../session/project/project.ts'
import { FormCard } from '../../../ui/controls/FormCard.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { PasswordField } from '../../../ui/controls/PasswordField.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField, TextArea } from '../../../ui/controls/TextField.tsx'
import { Radio, RadioGroup } from '../../../ui/controls/Radio.tsx'
import {
  closedBy,
  type Closed,
  type FormValues,
  type SettingField,
  type SettingsGroup,
} from './setting-field.ts'
import { factorModes, problemIn, valuesOf } from './settings-form.ts'
import { useSettings, type SettingsForm } from './use-settings.ts'
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

type SettingInputProps = {
  field: SettingField
  /** It can be read and not changed. */
  locked: boolean
  error: string | undefined
  value: string | boolean | undefined
  /** A secret is there already. */
  kept: boolean
  input: UseFormRegisterReturn
  control: Control<FormValues>
}

/** Secrets of others: browsers must not offer the reader's own password, nor keep this one. */
const unkept = { autoComplete: 'new-password', spellCheck: false } as const
const plain = { autoComplete: 'off', spellCheck: false } as const

/** The control that stands for one setting. */
function SettingInput({ field, locked, error, value, kept, input, control }: SettingInputProps) {
  const note = useId()
  const { label, help } = field
  const common = { label, help, error, readOnly: locked, ...input }
  switch (field.kind) {
    case 'check':
      return (
        <div className="setting-check">
          <Checkbox
            label={label}
            aria-describedby={help ? note : undefined}
            // The form forgets what a disabled control holds.
            {...(locked ? { checked: value === true, disabled: true, readOnly: true } : input)}
          />
          {help && <p id={note}>{help}</p>}
          {error && (
            <p className="err" role="alert">
              {error}
            </p>
          )}
        </div>
      )
    case 'factor':
      return <FactorChoice label={label} locked={locked} value={value} input={input} />
    case 'lines':
      return <TextArea mono rows={6} spellCheck={false} {...common} />
    case 'area':
      return <TextArea rows={3} {...common} />
    case 'secret':
      return (
        <PasswordField
          {...common}
          {...unkept}
          placeholder={kept ? 'Stored. Leave it empty to keep it.' : undefined}
        />
      )
    case 'choice':
      return (
        <Controller
          control={control}
          name={field.key}
          render={({ field: { value: chosen, onChange } }) => (
            <SelectField
              label={label}
              help={help}
              error={error}
              disabled={locked}
              options={field.choices}
              value={String(chosen)}
              onChange={onChange}
            />
          )}
        />
      )
    case 'whole': {
      const number = Number(value)
      const reads = value !== '' && Number.isInteger(number) ? field.reads?.(number) : undefined
      return (
        <TextField
          {...common}
          {...plain}
          // Behind a number it stays on one line.
          unit={(reads ?? field.unit)?.replaceAll(' ', '\u00a0')}
          inputMode="numeric"
        />
      )
    }
    case 'text':
      return (
        <TextField mono={!field.prose} {...common} {...plain} placeholder={field.placeholder} />
      )
  }
}

const words: Record<(typeof factorModes)[number], { label: string; help: string }> = {
  enabled: { label: 'Enabled', help: 'Users can add this factor and sign in with it.' },
  verify: {
    label: 'Verify enabled',
    help: 'People who have one can still sign in with it; no one can add another.',
  },
  disabled: { label: 'Disabled', help: 'No one can add one or sign in with it.' },
}

type FactorChoiceProps = {
  label: string
  locked: boolean
  value: string | boolean | undefined
  input: UseFormRegisterReturn
}

/** How one kind of second factor is offered. */
function FactorChoice({ label, locked, value, input }: FactorChoiceProps) {
  return (
    <RadioGroup label={label}>
      {factorModes.map((mode) => (
        <Radio
          key={mode}
          value={mode}
          {...words[mode]}
          // The form forgets what a disabled control holds.
          {...(locked ? { checked: value === mode, disabled: true, readOnly: true } : input)}
        />
      ))}
    </RadioGroup>
  )
}

type SettingsCardProps = SettingsGroup & { projectRef: string; children?: ReactNode }

/** Some settings of the auth service that belong together, saved together. */
export function SettingsCard({ children, ...group }: SettingsCardProps) {
  const { projectRef, title } = group
  const settings = useSettings(group)
  return (
    <>
      <FormCard
        title={title}
        error={settings.error}
        dirty={settings.dirty}
        pending={settings.pending}
        reason={settings.reason}
        onSubmit={settings.submit}
        onCancel={settings.cancel}
      >
        <div className="form-stack">
          <SettingFields projectRef={projectRef} settings={settings} />
          {children}
        </div>
      </FormCard>
      <AskFirst settings={settings} />
    </>
  )
}

/** Asks before a change that locks somebody out. It stands beside the form: a form within it would send that one, too. */
export function AskFirst({ settings }: { settings: SettingsForm }) {
  const { asking, stopAsking, agree, pending } = settings
  return (
    <ConfirmDialog
      open={asking !== undefined}
      title={asking?.caution.title}
      verb={asking?.caution.verb ?? ''}
      danger={asking?.caution.harmless !== true}
      error={undefined}
      pending={pending}
      onClose={stopAsking}
      onConfirm={agree}
    >
      <p>{asking?.caution.text}</p>
    </ConfirmDialog>
  )
}
