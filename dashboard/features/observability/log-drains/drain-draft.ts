import type { LogDrain } from '#contract/observability/log-drain-shapes'
import type { Destination } from './destinations.ts'

/** A header as its row in the form holds it. */
export type HeaderRow = { id: number; name: string; value: string; isKept: boolean }
/** A drain as its form holds it. */
export type Draft = {
  name: string
  description: string
  values: Record<string, string | boolean>
  headers: HeaderRow[]
}
/** What is wrong, by the name of the field: `name`, `url`, `headers` ... The rest stands under an empty name. */
export type Problems = Record<string, string>

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** A new drain, or one that is there: its secrets are empty, and stay as they are unless something is typed. */
export function draftOf(destination: Destination, drain: LogDrain | undefined): Draft {
  const values = destination.fields.map(({ name, kind, usual }) => {
    const held = drain ? drain.config[name] : usual
    if (kind === 'switch') return [name, held === true] as const
    if (kind === 'secret') return [name, ''] as const
    return [name, typeof held === 'string' || typeof held === 'number' ? String(held) : ''] as const
  })
  const headers = drain?.config['headers']
  return {
    name: drain?.name ?? '',
    description: drain?.description ?? '',
    values: Object.fromEntries(values),
    headers: isRecord(headers)
      ? Object.keys(headers).map((name, id) => ({ id, name, value: '', isKept: true }))
      : [],
  }
}

export const withHeader = (draft: Draft): Draft => ({
  ...draft,
  headers: [
    ...draft.headers,
    {
      id: Math.max(-1, ...draft.headers.map(({ id }) => id)) + 1,
      name: '',
      value: '',
      isKept: false,
    },
  ],
})

/** Whether a secret of a drain that is there is set. */
export const isSet = (drain: LogDrain | undefined, name: string): boolean =>
  drain?.config[name] === ''

/** What the server is told: what is empty is left out, so that secrets are kept. */
export function configOf(
  { fields, hasHeaders }: Destination,
  { values, headers }: Draft,
  drain?: LogDrain,
): Record<string, unknown> {
  const config = fields.flatMap(({ name, kind }): [string, unknown][] => {
    const value = values[name]
    if (typeof value === 'boolean') return [[name, value]]
    const text = kind === 'secret' ? (value ?? '') : (value?.trim() ?? '')
    if (text === '') return []
    return [[name, kind === 'number' ? Number(text) : text]]
  })
  const rows = headers.filter(({ name, value }) => name.trim() !== '' || value !== '')
  const sent = Object.fromEntries(config)
  // A password without a user is none: who empties the name takes the password away.
  if (
    'username' in values &&
    !('username' in sent) &&
    isSet(drain, 'password') &&
    !sent['password']
  )
    sent['password'] = null
  if (hasHeaders)
    sent['headers'] = Object.fromEntries(rows.map(({ name, value }) => [name.trim(), value]))
  return sent
}

/** What can be told without the server. */
export function problemsIn(
  destination: Destination,
  draft: Draft,
  drain: LogDrain | undefined,
): Problems {
  const found: Problems = {}
  if (draft.name.trim() === '') found['name'] = 'Give the log drain a name'
  for (const { name, label, kind, isOptional } of destination.fields) {
    const value = draft.values[name]
    if (typeof value === 'boolean' || isOptional) continue
    if (kind === 'secret' && isSet(drain, name)) continue
    if ((value ?? '').trim() === '') found[name] = `Enter the ${wordOf(label)}`
  }
  const names = draft.headers.map(({ name }) => name.trim().toLowerCase())
  if (draft.headers.some(({ name, value }) => name.trim() === '' && value !== ''))
    found['headers'] = 'Give each header a name'
  else if (names.some((name, at) => name !== '' && names.indexOf(name) < at))
    found['headers'] = 'A header is there twice'
  return found
}

/** `URL` and `API key` stay, `Bucket` becomes `bucket`. */
const wordOf = (label: string) =>
  /^[A-Z]{2}/.test(label) ? label : label.slice(0, 1).toLowerCase() + label.slice(1)

/** What the server says, by the field it names. */
export function problemsOf(message: string, { fields }: Destination): Problems {
  const found: Problems = {}
  for (const line of message.split('; ')) {
    const [, path = '', text = line] = /^([\w.!#$%&'*+^`|~-]+): (.*)$/s.exec(line) ?? []
    const [first = '', second = ''] = path.split('.')
    const name = first === 'config' ? second : first
    const isKnown =
      name === 'name' ||
      name === 'description' ||
      name === 'headers' ||
      fields.some((one) => one.name === name)
    const where = isKnown ? name : ''
    const header = name === 'headers' ? path.split('.').slice(2).join('.') : ''
    const said = sentence(isKnown ? text : line)
    found[where] ??= header === '' ? said : `${header}: ${said}`
  }
  return found
}

const sentence = (text: string): string =>
  /^(?:must|is|has|may) /.test(text) ? `It ${text}` : text.slice(0, 1).toUpperCase() + text.slice(1)
