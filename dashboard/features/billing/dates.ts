const day = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** "1 December 2025": periods begin and end at midnight UTC, so the day is that of UTC. */
export const dayOf = (at: string) => day.format(new Date(at))
