import { afterAll, afterEach, beforeEach } from 'vitest'
import { endAll } from './ends.ts'
import { keepWhatFailed } from './failures.ts'
import { beginTraces, dropTraces } from './traces.ts'

/** What surrounds every journey: it ends what it opened, and leaves what one needs to understand a failure. */
beforeEach(() => beginTraces())
afterEach(async ({ task }) => {
  if (task.result?.errors?.length)
    await keepWhatFailed(task.file.name, task.name, task.result.errors)
  else await dropTraces()
})
// oxlint-disable-next-line no-empty-pattern -- the test runner asks for an object pattern, and nothing in it is needed
afterAll(async ({}, file) => {
  // A beginning that failed has no test to tell of it.
  if (file.result?.errors?.length)
    await keepWhatFailed(file.file.name, 'beginning', file.result.errors)
  await endAll()
})
