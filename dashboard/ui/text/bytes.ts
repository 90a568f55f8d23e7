import { numberText } from './number.ts'

const units = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'] as const

/** `8 kB`, `1.2 GB`: in steps of 1024, as Postgres counts. */
export function bytesText(bytes: number): string {
  let [value, unit] = [bytes, 0]
  while (Math.abs(value) >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  const digits = unit > 0 && value < 10 ? 1 : 0
  return `${numberText(value, digits)} ${units[unit]}`
}
