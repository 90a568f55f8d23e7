import { askOnce } from '../../../session/identity/ask-once.ts'
import { scheduleWords } from './schedule-words.ts'

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
