const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** Seconds in the words of people, its two largest units: "1 day 2 hours". */
export function timeOf(seconds: number): string {
  const parts: string[] = []
  let left = seconds
  for (const [name, size] of units) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0) parts.push(`${count} ${name}${count === 1 ? '' : 's'}`)
  }
  return parts.slice(0, 2).join(' ') || 'no limit'
}
