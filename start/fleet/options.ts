import { parseArgs } from 'node:util'

export type FleetSize = { control: number; data: number }

const most = 16

/** @throws Error with one line that says what is wrong. */
export function fleetSize(args: string[]): FleetSize {
  const { values } = parseArgs({
    args,
    options: { control: { type: 'string' }, data: { type: 'string' } },
  })
  const count = (name: 'control' | 'data', usual: number): number => {
    const given = values[name]
    if (given === undefined) return usual
    const number = /^\d{1,2}$/.test(given) ? Number(given) : 0
    if (number < 1 || number > most)
      throw new Error(`--${name}: must be a number from 1 to ${most}`)
    return number
  }
  return { control: count('control', 2), data: count('data', 3) }
}
