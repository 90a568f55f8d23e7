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
