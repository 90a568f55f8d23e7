import { Cron } from 'croner'

const everySeconds = /^\s*(\d{1,2})\s+seconds?\s*$/i

/**
 * When a job is due for the first time after a moment (milliseconds since 1970); undefined: never, or the schedule is none.
 * A schedule is five fields in the time of `timezone`, of which the third may be `$` for the last day of the month, or a number
 * of seconds. Where a day of the month and one of the week are both given, either counts.
 */
export function nextTick(schedule: string, after: number, timezone: string): number | undefined {
  const [, seconds] = everySeconds.exec(schedule) ?? []
  if (seconds) return Number(seconds) > 0 ? after + Number(seconds) * 1000 : undefined
  const fields = schedule.trim().split(/\s+/)
  // The library takes names and seconds too, which are no schedules here.
  if (fields.length !== 5) return undefined
  if (fields[2] === '$') fields[2] = 'L'
  try {
    const cron = new Cron(fields.join(' '), { timezone, paused: true })
    return cron.nextRun(new Date(after))?.getTime()
  } catch {
    // What stands in the table need not have come through the functions that check it.
    return undefined
  }
}

/** Whether the time zone is one that can be reckoned with; databases know some more. */
export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
