/**
 * Money is a whole number of US cents, everywhere. Rates that are finer than a cent (compute by the hour, the price of
 * one user) are whole micro-cents: a millionth of a cent.
 */
export type Cents = number
export type MicroCents = number

export const microPerCent = 1_000_000

const hourMs = 3_600_000n

/**
 * `-$1,234.50`: at most `most` decimals, zeros behind the first `least` of them left out. Plain text work, because the
 * first `Intl` formatter of a page takes a browser longer than drawing a table of prices does.
 */
function withDollars(dollars: number, least: number, max: number): string {
  const [whole = '', part = ''] = Math.abs(dollars).toFixed(max).split('.')
  const decimals = part.slice(0, least) + part.slice(least).replace(/0+$/, '')
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',')
  return `${dollars < 0 ? '-' : ''}$${grouped}${decimals && `.${decimals}`}`
}

/** US dollars as people read them: two decimals; below 0.01 as many as there are, and none at least (requirements §9). */
export function formatDollars(dollars: number): string {
  const small = dollars !== 0 && Math.abs(dollars) < 0.01
  return small ? withDollars(dollars, 0, 8) : withDollars(dollars, 2, 2)
}

export const formatCents = (cents: Cents): string => formatDollars(cents / 100)

/** A rate with all its digits: `$0.01344`. */
export const formatRate = (rate: MicroCents): string => {
  const dollars = rate / microPerCent / 100
  const cents = rate % microPerCent === 0
  return cents ? formatDollars(dollars) : withDollars(dollars, 0, 8)
}

/** Half a cent and more counts as one; the same distance from zero for what is owed and what is given back. */
function divide(amount: bigint, by: bigint): number {
  const sign = amount < 0n ? -1n : 1n
  return Number(sign * ((amount * sign * 2n + by) / (by * 2n)))
}

/** The share of a price for `part` of `of` (both in the same unit, such as milliseconds of a period), rounded once. */
export function share(price: Cents, part: number, of: number): Cents {
  if (of <= 0 || part <= 0) return 0
  const bounded = Math.min(part, of)
  return divide(BigInt(price) * BigInt(Math.round(bounded)), BigInt(Math.round(of)))
}

/** What `milliseconds` cost at a rate an hour, rounded once. */
export const hourly = (rate: MicroCents, milliseconds: number): Cents =>
  divide(BigInt(rate) * BigInt(Math.round(milliseconds)), hourMs * BigInt(microPerCent))

/** What `count` units cost at a rate each, rounded once. */
export const perUnit = (rate: MicroCents, count: number): Cents =>
  divide(BigInt(rate) * BigInt(count), BigInt(microPerCent))

/** What `amount` costs at a price for every `per` of it, rounded once. Amounts are whole, such as bytes. */
export const metered = (price: MicroCents, amount: number, per: number): Cents =>
  divide(BigInt(price) * BigInt(Math.round(amount)), BigInt(Math.round(per)) * BigInt(microPerCent))

/** Dollars as the tables of prices print them, exactly: 0.01344 is 1,344,000 micro-cents. */
export const microCents = (dollars: number): MicroCents => Math.round(dollars * 100 * microPerCent)
