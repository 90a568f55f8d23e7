/** What a text has to look like; `auth-config-forms.ts` holds the checks. */
export type TextForm =
  | 'site'
  | 'allow-list'
  | 'https'
  | 'host'
  | 'port'
  | 'email'
  | 'sender'
  | 'test-numbers'
  | 'instant'
  | 'code-template'
  | 'line'
  | 'hook-uri'
  | 'hook-secrets'

/** One setting of a project's auth service, as data. */
export type Setting =
  | { type: 'switch'; default: boolean }
  | { type: 'whole'; default: number; least: number; max: number }
  /** A whole number, or null for none. */
  | { type: 'optional'; default: null; least: number; max: number }
  | {
      type: 'text'
      default: string
      /** Most characters. */
      max: number
      /** Sealed where it is kept, and never shown again. */
      secret?: true
      oneOf?: readonly string[]
      form?: TextForm
    }

export type ValueOf<S extends Setting> = S extends { type: 'switch' }
  ? boolean
  : S extends { type: 'whole' }
    ? number
    : S extends { type: 'optional' }
      ? number | null
      : string

type Text = Extract<Setting, { type: 'text' }>

export const on = { type: 'switch', default: true } as const
export const off = { type: 'switch', default: false } as const

export const whole = (initial: number, least: number, max: number) =>
  ({ type: 'whole', default: initial, least, max }) as const

export const optional = (least: number, max: number) =>
  ({ type: 'optional', default: null, least, max }) as const

export const text = (more: Partial<Omit<Text, 'type'>> = {}): Text => ({
  type: 'text',
  default: '',
  max: 1000,
  ...more,
})

export const secret = text({ secret: true, form: 'line' })
export const line = text({ form: 'line' })
