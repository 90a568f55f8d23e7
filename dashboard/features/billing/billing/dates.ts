const months =
  'January February March April May June July August September October November December'.split(' ')

/** "1 December 2025": periods begin and end at midnight UTC, so the day is that of UTC. */
export function dayOf(at: string): string {
  const date = new Date(at)
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}
