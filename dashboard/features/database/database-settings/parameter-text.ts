import type { Parameter } from '#contract/database/database-server'

/** A parameter's value with its unit, as people write it: 4096 of kB is `4 MB`. A text that has one already keeps it. */
export function parameterText(value: string, unit: string | null): string {
  const written = /^(-?\d+)\s*([A-Za-z]+)$/.exec(value.trim())
  if (unit !== null && written) return `${written[1]} ${written[2]}`
  const number = Number(value)
  if (unit === null || value.trim() === '' || !Number.isInteger(number)) return value
  if (number <= 0) return number === 0 ? '0' : value
  const [size, base] = /^(\d+)?(\D+)$/.exec(unit)?.slice(1) ?? []
  let amount = number * Number(size ?? 1)
  let name = base ?? unit
  const steps = name === 'kB' || name === 'B' || name === 'MB' ? bytes : times
  let at = steps.findIndex(([step]) => step === name)
  while (at >= 0 && at < steps.length - 1) {
    const factor = steps[at]?.[1] ?? 1
    if (amount % factor !== 0) break
    amount /= factor
    at += 1
    name = steps[at]?.[0] ?? name
  }
  return `${amount} ${name}`
}

/** Each unit with how many of it make the next one. */
const bytes: [string, number][] = [
  ['B', 1024],
  ['kB', 1024],
  ['MB', 1024],
  ['GB', 1024],
  ['TB', 1],
]
const times: [string, number][] = [
  ['ms', 1000],
  ['s', 60],
  ['min', 60],
  ['h', 24],
  ['d', 1],
]

/** When a change of it counts. */
export function effectOf({ context }: Parameter): string {
  switch (context) {
    case 'postmaster':
      return 'After a restart of the server'
    case 'sighup':
      return 'When the server reloads its settings'
    case 'internal':
      return 'Never: it was set when the server was built'
    default:
      return 'In every new session; open sessions keep their value'
  }
}

/** Why a text cannot be its value; undefined when it may be. Postgres has the last word. */
export function valueProblem(parameter: Parameter, text: string): string | undefined {
  const { vartype, choices, unit } = parameter
  if (text.includes('\0')) return 'A value cannot contain a NUL character'
  switch (vartype) {
    case 'bool':
      return /^(on|off|true|false|yes|no|0|1)$/i.test(text) ? undefined : 'on or off'
    case 'enum':
      return choices.includes(text) ? undefined : `One of ${choices.join(', ')}`
    case 'integer':
    case 'real': {
      if (!/^-?\d+(\.\d+)?\s*[A-Za-zµ]*$/.test(text.trim()))
        return unit
          ? `A number, optionally with a unit, such as 10${unit.replace(/^\d+/, '')}`
          : 'A number'
      return undefined
    }
    case 'string':
      return undefined
  }
}
