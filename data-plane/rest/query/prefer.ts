import { Problem } from '../answers/problem.ts'

/** What a client would like, from `Prefer` headers (RFC 7240; names and values of contract §6). */
export type Preferences = {
  resolution: 'merge-duplicates' | 'ignore-duplicates' | undefined
  missing: 'default' | 'null' | undefined
  return: 'minimal' | 'headers-only' | 'representation' | undefined
  count: 'exact' | 'planned' | 'estimated' | undefined
  tx: 'commit' | 'rollback' | undefined
  handling: 'strict' | 'lenient' | undefined
  timezone: string | undefined
  maxAffected: number | undefined
  /** Of our own: a read may be answered by a read replica. */
  read: 'replica' | undefined
}

const choices = {
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  missing: ['default', 'null'],
  return: ['minimal', 'headers-only', 'representation'],
  count: ['exact', 'planned', 'estimated'],
  tx: ['commit', 'rollback'],
  handling: ['strict', 'lenient'],
  read: ['replica'],
} as const
type Choice = keyof typeof choices

const none: Preferences = {
  resolution: undefined,
  missing: undefined,
  return: undefined,
  count: undefined,
  tx: undefined,
  handling: undefined,
  timezone: undefined,
  maxAffected: undefined,
  read: undefined,
}

/**
 * The first of each preference counts. Unknown ones are ignored, unless `handling=strict` asks to refuse them.
 * `isTimezone` tells which zones the database knows.
 */
export function parsePrefer(
  header: string | undefined,
  isTimezone: (zone: string) => boolean,
): Preferences {
  if (header === undefined || header === '') return none
  const read: Preferences = { ...none }
  const unknown: string[] = []
  for (const part of header.split(',')) {
    const text = part.trim()
    if (text !== '' && !readOne(read, text, isTimezone)) unknown.push(text)
  }
  if (read.handling === 'strict' && unknown.length > 0) {
    throw new Problem(400, 'PGRST122', 'Invalid preferences given with handling=strict', {
      details: `Invalid preferences: ${unknown.join(', ')}`,
    })
  }
  // Without strict handling the limit on changed rows has no effect (contract §6).
  if (read.handling !== 'strict') read.maxAffected = undefined
  return read
}

function readOne(read: Preferences, text: string, isTimezone: (zone: string) => boolean): boolean {
  const equals = text.indexOf('=')
  const name = text.slice(0, equals)
  const value = text.slice(equals + 1)
  if (name === 'timezone') {
    if (!isTimezone(value)) return false
    read.timezone ??= value
    return true
  }
  if (name === 'max-affected') {
    if (!/^\d{1,15}$/.test(value)) return false
    read.maxAffected ??= Number(value)
    return true
  }
  if (!isChoice(name)) return false
  const known = choices[name].find((choice) => choice === value)
  if (known === undefined) return false
  if (read[name] === undefined) Object.assign(read, { [name]: known })
  return true
}

const isChoice = (name: string): name is Choice => Object.hasOwn(choices, name)

const order = [
  'resolution',
  'missing',
  'return',
  'count',
  'tx',
  'handling',
  'timezone',
  'maxAffected',
] as const

/** `Preference-Applied` of the given preferences, in the contract's order; empty when none was given. */
export function appliedHeader(
  preferences: Preferences,
  applied: readonly (keyof Preferences)[],
): string {
  const parts: string[] = []
  for (const name of order) {
    const value = preferences[name]
    if (value === undefined || !applied.includes(name)) continue
    parts.push(`${name === 'maxAffected' ? 'max-affected' : name}=${value}`)
  }
  return parts.join(', ')
}
