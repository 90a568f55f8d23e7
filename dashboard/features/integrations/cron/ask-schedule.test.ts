import { expect, test } from 'vitest'
import { scheduleIn } from './ask-schedule.ts'

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
