/**
 * `12,345.6`: with commas, and at most so many decimals as asked for. Plain text work, because the first `Intl` formatter
 * of a page takes the browser longer than drawing a table does.
 */
export function numberText(value: number, decimals = 0): string {
  const [whole = '', part = ''] = value.toFixed(decimals).split('.')
  const digits = part.replace(/0+$/, '')
  return whole.replace(/\B(?=(?:\d{3})+$)/g, ',') + (digits && `.${digits}`)
}

/** `3 rows`, `1 row`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${numberText(count)} ${count === 1 ? one : many}`

/** As dates have them: `Jan`. */
export const monthNames = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** 4.13 as '4.1 ms', 0.04 as '0.04 ms', 1640 as '1.6 s'. */
export function timeText(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`
  return `${ms >= 100 ? Math.round(ms) : ms >= 1 ? ms.toFixed(1) : ms.toFixed(2)} ms`
}

/** A share from 0 to 1 as '12.4%'; what is there but small stays visible. */
export function percentText(share: number): string {
  if (share > 0 && share < 0.0001) return '<0.01%'
  return `${(share * 100).toFixed(share >= 0.1 ? 1 : 2)}%`
}

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
