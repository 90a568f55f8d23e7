import { queryOptions } from '@tanstack/react-query'

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
