import { problemOf, targetsOf } from '#contract/auth/auth-config-forms'
import {
  settingOf,
  type AuthKey,
  type AuthSettings,
  authSettings,
} from '#contract/auth/auth-config-keys'
import { addOnVariant, phoneFactorVariant } from '#contract/billing/add-ons'
import { formatRate } from '#contract/billing/money'
import type {
  Caution,
  Circumstances,
  FormValues,
  SettingChanges,
  SettingField,
} from './setting-field.ts'

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

/** Asks before a way to sign in is taken from those who have no other. */
export const beforeClosing =
  (key: AuthKey, name: string) =>
  (changes: SettingChanges): Caution | undefined =>
    changes[key] === false
      ? {
          title: `Disable sign-in with ${name}?`,
          verb: 'Disable',
          text: `Users who only sign in this way cannot sign in again until you enable it. Existing sessions continue.`,
        }
      : undefined

/** Asks before a kind of second factor that users have cannot be shown any more. */
export const beforeLosingFactor =
  (key: AuthKey, name: string) =>
  (changes: SettingChanges): Caution | undefined =>
    changes[key] === false
      ? {
          title: `Disable ${name}?`,
          verb: 'Disable',
          text: 'Users who have added this factor can no longer use it. They lose access to what your app or your policies allow only with a second factor (aal2) until you enable it again.',
        }
      : undefined

const phone = addOnVariant(phoneFactorVariant)

/** Tells what codes by text message cost before they are switched on, and asks before users lose them. */
export function beforePhoneFactor(
  changes: SettingChanges,
  { before, hasPrices }: Circumstances,
): Caution | undefined {
  const losing = beforeLosingFactor('MFA_PHONE_VERIFY_ENABLED', 'codes by SMS')(changes)
  const isOn = before.MFA_PHONE_VERIFY_ENABLED || before.MFA_PHONE_ENROLL_ENABLED
  const switchesOn =
    changes.MFA_PHONE_VERIFY_ENABLED === true || changes.MFA_PHONE_ENROLL_ENABLED === true
  if (losing || isOn || !switchesOn || !hasPrices || !phone) return losing
  return {
    title: 'Enable text message codes?',
    verb: 'Enable',
    harmless: true,
    text: `Advanced MFA by phone is an add-on: ${formatRate(phone.rate)} a month for the first project of the organization and ${formatRate(phone.additionalRate ?? phone.rate)} for each further one, for the time in which it is on. It is charged with the next invoice, and the spend cap does not cover it. Your SMS provider charges for the messages.`,
  }
}

/** Asks before requests without a solved captcha are refused. */
export const beforeCaptcha = (changes: SettingChanges): Caution | undefined =>
  changes.SECURITY_CAPTCHA_ENABLED === true
    ? {
        title: 'Require a captcha?',
        verb: 'Require captcha',
        text: 'From now on, the auth service refuses sign-ins and sign-ups without a solved captcha. Apps that do not show one yet, including installed ones, stop working for people who are not signed in.',
      }
    : undefined

/** Asks before sessions end that nobody meant to end. */
export const beforeEndingSessions = (changes: SettingChanges): Caution | undefined =>
  changes.SESSIONS_SINGLE_PER_USER === true ||
  changes.SESSIONS_TIMEBOX ||
  changes.SESSIONS_INACTIVITY_TIMEOUT
    ? {
        title: 'Limit sessions?',
        verb: 'Limit sessions',
        text: 'The limit also applies to existing sessions: those beyond it end at their next refresh, and their users have to sign in again.',
      }
    : undefined
