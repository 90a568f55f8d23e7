import { expect, test } from 'vitest'
import { createLastRuns } from './last-runs.ts'

const area = (start?: string) => {
  let text = start ?? null
  return {
    getItem: () => text,
    setItem: (_key: string, value: string) => {
      text = value
    },
  }
}
const run = (id: string) => ({ id, queryId: 'q', name: id, failed: false, ms: 1 })

test('the newest first, no more than eight, and again after a reload', () => {
  const storage = area()
  const runs = createLastRuns(storage, 'p')
  for (let i = 1; i <= 10; i += 1) runs.add(run(String(i)))
  expect(runs.list().map(({ id }) => id)).toEqual(['10', '9', '8', '7', '6', '5', '4', '3'])
  expect(createLastRuns(storage, 'p').list()).toEqual(runs.list())
})

test.each(['{', '{}', '[null, 3, {"name": 4}]'])('what is not ours is ignored: %s', (text) => {
  expect(createLastRuns(area(text), 'p').list()).toEqual([])
})
