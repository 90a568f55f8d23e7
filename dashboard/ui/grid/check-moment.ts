const words = /now|today|tomorrow|yesterday|epoch|infinity|allballs/i
const plainDay = /^\s*(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T]([\d:.]+))?\s*$/
const plainClock = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d*)?)?$/

/**
 * Why Postgres refuses a text for a date or a time. It takes many forms, so only what is certainly wrong is refused: a
 * text without digits or a word for a moment, and days and hours in the plain form that no calendar and no clock has.
 */
export function momentProblem(format: string, text: string): string | undefined {
  if (!/\d/.test(text) && !words.test(text))
    return format.startsWith('time') && !format.startsWith('timestamp')
      ? 'This is not a time'
      : 'This is not a date'
  const [, year, month, day, clock] = plainDay.exec(text) ?? []
  if (year !== undefined) {
    if (Number(month) < 1 || Number(month) > 12) return `There is no month ${Number(month)}`
    if (Number(day) < 1 || Number(day) > daysOf(Number(year), Number(month)))
      return `There is no day ${Number(day)} in ${year}-${month?.padStart(2, '0')}`
  }
  return clockProblem(year === undefined ? text.trim() : (clock ?? ''))
}

/** Midnight may be written 24:00, and a minute may have a leap second. */
function clockProblem(text: string): string | undefined {
  const [, hour, minute, second = '0'] = plainClock.exec(text) ?? []
  if (hour === undefined) return undefined
  return Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60
    ? 'There is no such time of day'
    : undefined
}

const daysOf = (year: number, month: number): number => {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  if (month === 2) return leap ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}
