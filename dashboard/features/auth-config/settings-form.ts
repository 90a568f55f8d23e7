import { problemOf, targetsOf } from '#contract/auth-config-forms'
import { settingOf, type AuthKey, type AuthSettings } from '#contract/auth-config-keys'

/** One setting as a form shows it. */
export type SettingField = {
  key: AuthKey
  label: string
  help?: string
  /** What stands in the setting with commas between is shown a line each. */
  kind: 'text' | 'lines' | 'whole' | 'check'
  /** Faint words behind a number, as "seconds". */
  unit?: string
}

export type FormValues = Record<string, string | boolean>
export type SettingChanges = { [K in AuthKey]?: AuthSettings[K] }

export const valuesOf = (config: AuthSettings, fields: readonly SettingField[]): FormValues =>
  Object.fromEntries(
    fields.map(({ key, kind }) => {
      const value = config[key]
      if (kind === 'check') return [key, value === true]
      return [key, kind === 'lines' ? targetsOf(String(value)).join('\n') : String(value)]
    }),
  )

const settled = ({ kind }: SettingField, value: string | boolean | undefined) => {
  if (kind === 'check') return value === true
  const text = String(value ?? '').trim()
  if (kind === 'whole') return Number(text)
  return kind === 'lines' ? targetsOf(text.replaceAll('\n', ',')).join(',') : text
}

/** What differs from the settings that are saved. */
export function changesOf(
  values: FormValues,
  config: AuthSettings,
  fields: readonly SettingField[],
): SettingChanges {
  const entries = fields.flatMap((field) => {
    const value = settled(field, values[field.key])
    return value === config[field.key] ? [] : [[field.key, value] as const]
  })
  // Each value has the type of its key, because a field has the kind of its setting.
  return Object.fromEntries(entries) as SettingChanges
}

/** What the server would say about a value, before it is asked. */
export function problemIn(field: SettingField, value: string | boolean): string | undefined {
  const setting = settingOf(field.key)
  if (setting.type === 'whole') {
    const { least, most } = setting
    const fits =
      /^\s*\d+\s*$/.test(String(value)) && Number(value) >= least && Number(value) <= most
    return fits ? undefined : `A whole number from ${least} to ${most}`
  }
  if (setting.type !== 'text' || !setting.form) return undefined
  // In a form it stands alone, and not behind the name of the key.
  return problemOf(setting.form, String(settled(field, value)))?.replace(/^must/, 'Must')
}
