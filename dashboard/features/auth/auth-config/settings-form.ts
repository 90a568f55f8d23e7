import { problemOf, targetsOf } from '#contract/auth/auth-config-forms'
import {
  settingOf,
  type AuthKey,
  type AuthSettings,
  authSettings,
} from '#contract/auth/auth-config-keys'
import type { FormValues, SettingField } from './setting-field.ts'

/** The three ways a kind of second factor can be offered. */
export const factorModes = ['enabled', 'verify', 'disabled'] as const

export const valuesOf = (config: AuthSettings, fields: readonly SettingField[]): FormValues =>
  Object.fromEntries(fields.map((field) => [field.key, shownValue(config, field)]))

function shownValue(config: AuthSettings, field: SettingField): string | boolean {
  const value = config[field.key]
  switch (field.kind) {
    case 'check':
      return (value === true) !== (field.inverted ?? false)
    case 'secret':
      return ''
    case 'lines':
      return targetsOf(String(value)).join('\n')
    case 'factor':
      if (value !== true) return 'disabled'
      return config[field.enroll] === true ? 'enabled' : 'verify'
    case 'text':
    case 'area':
    case 'choice':
    case 'whole':
      return String(value ?? '')
  }
}

/** What the settings of a field would be. */
function settled(field: SettingField, value: string | boolean | undefined): [string, unknown][] {
  const { key, kind } = field
  if (kind === 'check') return [[key, (value === true) !== (field.inverted ?? false)]]
  const raw = String(value ?? '')
  // The white space at the ends of a password may be part of it.
  if (kind === 'secret') return raw === '' ? [] : [[key, raw]]
  const text = raw.trim()
  if (kind === 'factor') {
    return [
      [key, text !== 'disabled'],
      [field.enroll, text === 'enabled'],
    ]
  }
  if (kind === 'lines') return [[key, targetsOf(text.replaceAll('\n', ',')).join(',')]]
  if (kind !== 'whole') return [[key, text]]
  const isNone = text === '' && settingOf(key).type === 'optional'
  return [[key, isNone ? null : Number(text)]]
}

/** What differs from the settings that are saved. */
export function changesOf(
  values: FormValues,
  config: AuthSettings,
  fields: readonly SettingField[],
): { [K in AuthKey]?: AuthSettings[K] } {
  const saved: Record<string, unknown> = config
  const entries = fields
    .flatMap((field) => settled(field, values[field.key]))
    .filter(([key, value]) => value !== saved[key])
  // Each value has the type of its key, because a field has the kind of its setting.
  return Object.fromEntries(entries) as { [K in AuthKey]?: AuthSettings[K] }
}

/** What the server would say about a value, before it is asked. */
export function problemIn(field: SettingField, value: string | boolean): string | undefined {
  const setting = settingOf(field.key)
  if (setting.type === 'whole' || setting.type === 'optional') {
    const { least, max } = setting
    const text = String(value).trim()
    if (setting.type === 'optional' && text === '') return undefined
    const fits = /^\d+$/.test(text) && Number(text) >= least && Number(text) <= max
    return fits ? undefined : `A whole number from ${least} to ${max}`
  }
  if (setting.type !== 'text') return undefined
  if (field.needed && String(value).trim() === '') return 'Required'
  const [, next] = settled(field, value)[0] ?? []
  const text = typeof next === 'string' ? next : ''
  if (text.length > setting.max) return `At most ${setting.max.toLocaleString('en')} characters`
  if (!setting.form || field.kind === 'secret') return undefined
  // In a form it stands alone, and not behind the name of the key.
  return problemOf(setting.form, text)?.replace(/^must/, 'Must')
}

const isKey = (text: string): text is AuthKey => Object.hasOwn(authSettings, text)

/** The server's words as a sentence of their own, which they are not behind the name of a key. */
const asSentence = (message: string): string =>
  message.replace(/^./, (first) => first.toUpperCase())

/** A refusal that names keys, as `KEY: why; OTHER_KEY: why`, taken apart; `rest` is what belongs to no field of `keys`. */
export function refusalsIn(message: string, keys: ReadonlySet<AuthKey>) {
  const parts: { key: AuthKey | undefined; text: string }[] = []
  for (const piece of message.split('; ')) {
    const [name = '', ...words] = piece.split(': ')
    const before = parts.at(-1)
    if (isKey(name)) parts.push({ key: name, text: words.join(': ') })
    // A semicolon within the words of the one before.
    else if (before) before.text += `; ${piece}`
    else parts.push({ key: undefined, text: piece })
  }
  const fields = new Map<AuthKey, string>()
  const rest: string[] = []
  for (const { key, text } of parts) {
    if (key && keys.has(key)) fields.set(key, asSentence(text))
    else rest.push(key ? `${key}: ${text}` : text)
  }
  return { fields, rest: rest.length > 0 ? rest.join('; ') : undefined }
}

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** Seconds in the words of people, its two largest units: "1 day 2 hours". */
export function timeOf(seconds: number): string {
  const parts: string[] = []
  let left = seconds
  for (const [name, size] of units) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0) parts.push(`${count} ${name}${count === 1 ? '' : 's'}`)
  }
  return parts.slice(0, 2).join(' ') || 'no limit'
}
