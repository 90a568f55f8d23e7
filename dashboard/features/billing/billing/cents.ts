/** Whole cents of an amount as people write it: `100`, `99.5`, `$1,000.00`. Undefined when it is none. */
export function centsOf(text: string): number | undefined {
  const plain = text.trim().replace(/^\$\s?/, '')
  const match = /^(\d{1,9}|\d{1,3}(?:,\d{3}){1,2})(?:\.(\d{1,2}))?$/.exec(plain)
  if (!match) return undefined
  const [, dollars = '', cents = ''] = match
  return Number(dollars.replaceAll(',', '')) * 100 + Number(cents.padEnd(2, '0'))
}
