import { expect, test } from 'vitest'
import { presets, scheduleIn, scheduleWords } from './schedule-words.ts'

test.each([
  ['*/5 * * * *', 'Every 5 minutes'],
  ['5 4 * * *', 'At 04:05'],
  ['0 0 $ * *', 'At 00:00, on the last day of the month'],
  ['0 12 * * mon-fri', 'At 12:00, Monday through Friday'],
  ['1 second', 'Every second'],
  ['30 seconds', 'Every 30 seconds'],
])('%s in words', async (schedule, words) => {
  expect(await scheduleWords(schedule)).toBe(words)
})

test.each(['', '* * * *', '* * * * * *', 'a b c d e', '99 * * * *'])(
  '"%s" has none',
  async (schedule) => expect(await scheduleWords(schedule)).toBeUndefined(),
)

test('what is offered can be said', async () => {
  for (const { value } of presets) expect(await scheduleWords(value)).toBeTruthy()
})

test.each([
  ['0 3 * * 1', '0 3 * * 1'],
  ['`*/5 * * * *`', '*/5 * * * *'],
  ['Here it is:\n\n```\n0 0 $ * *\n```\nIt is the last day.', '0 0 $ * *'],
  ['"30 seconds"', '30 seconds'],
  ['99 * * * *', undefined],
  ['I cannot say.', undefined],
  ['', undefined],
])('the schedule in %j is %j', async (answer, schedule) => {
  expect(await scheduleIn(answer)).toBe(schedule)
})
