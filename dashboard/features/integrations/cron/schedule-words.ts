import { queryOptions } from '@tanstack/react-query'
import { askOnce } from '../../../session/identity/ask-once.ts'

const seconds = /^\s*(\d{1,2})\s+seconds?\s*$/i

/** A schedule as a sentence, such as "At 03:00 AM"; undefined for what is none. The library is loaded with the first one. */
export async function scheduleWords(schedule: string): Promise<string | undefined> {
  const [, every] = seconds.exec(schedule) ?? []
  if (every) return Number(every) === 1 ? 'Every second' : `Every ${Number(every)} seconds`
  const fields = schedule.trim().split(/\s+/)
  if (fields.length !== 5) return undefined
  const { default: cronstrue } = await import('cronstrue')
  try {
    const text = fields.map((field, at) => (at === 2 && field === '$' ? 'L' : field)).join(' ')
    return cronstrue.toString(text, { use24HourTimeFormat: true })
  } catch {
    // The server says what is wrong with it.
    return undefined
  }
}

export const wordsQuery = (schedule: string) =>
  queryOptions({
    queryKey: ['schedule-words', schedule],
    queryFn: async () => (await scheduleWords(schedule)) ?? null,
    staleTime: Infinity,
  })

/** Schedules that people want most. */
export const presets = [
  { value: '* * * * *', label: 'Every minute' },
  { value: '*/15 * * * *', label: 'Every 15 minutes' },
  { value: '0 * * * *', label: 'Every hour' },
  { value: '0 0 * * *', label: 'Every day' },
  { value: '0 0 * * 1', label: 'Every Monday' },
  { value: '0 0 $ * *', label: 'Last day of the month' },
  { value: '30 seconds', label: 'Every 30 seconds' },
] as const

/**
 * The schedule that a wish in words means, as the assistant reads it.
 * @throws CallError when there is no answer; Error when the answer is no schedule
 */
export async function askSchedule(
  ref: string,
  wish: string,
  timezone: string,
  signal: AbortSignal,
): Promise<string> {
  const text = `Which schedule of pg_cron means this? Answer with the schedule alone, without any SQL and without quotes: five fields (minute, hour, day of the month, month, day of the week), where $ as the day of the month is its last day, or "N seconds" with N from 1 to 59. Times are in ${timezone}.\n\n${wish}`
  const schedule = await scheduleIn(await askOnce(ref, [{ type: 'text', text }], signal))
  if (schedule === undefined)
    throw new Error('The assistant found no schedule. Say how often, and at what time')
  return schedule
}

/** The first line that is a schedule. Models like to put such things between ticks, or a word before them. */
export async function scheduleIn(answer: string): Promise<string | undefined> {
  for (const line of answer.split('\n')) {
    const text = line.replaceAll(/[`'"]/g, '').trim()
    if (text && (await scheduleWords(text)) !== undefined) return text
  }
  return undefined
}
