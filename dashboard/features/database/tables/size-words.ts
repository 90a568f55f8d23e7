import { numberText } from '../../../ui/text/number.ts'

const units = ['bytes', 'kB', 'MB', 'GB', 'TB']

/** 1536 → `1.5 kB`; in steps of 1024, as Postgres counts. */
export function sizeWords(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  const shown = unit === 0 || value >= 100 ? Math.round(value) : Math.round(value * 10) / 10
  return `${numberText(shown, 1)} ${units[unit]}`
}
