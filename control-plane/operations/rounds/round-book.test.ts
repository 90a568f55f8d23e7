import { expect, test } from 'vitest'
import { createRoundBook } from './round-book.ts'

test('what a round does is written down, and what it throws goes on', async () => {
  let minute = 0
  const at = () => new Date(Date.UTC(2026, 0, 1, 0, minute))
  const book = createRoundBook(at)
  let failure: Error | undefined = new Error('no database')
  const round = book.watch({
    seconds: 60,
    name: 'backups',
    run: () => (failure ? Promise.reject(failure) : Promise.resolve()),
  })
  expect(book.states()).toMatchObject([{ name: 'backups', seconds: 60, began_at: null }])
  await expect(round.run()).rejects.toThrow('no database')
  minute = 5
  await expect(round.run()).rejects.toThrow('no database')
  expect(book.states()).toMatchObject([
    {
      began_at: '2026-01-01T00:05:00.000Z',
      failures: 2,
      failing_since: '2026-01-01T00:00:00.000Z',
      failure: 'no database',
      running: false,
    },
  ])
  failure = undefined
  await round.run()
  expect(book.states()).toMatchObject([{ failures: 0, failing_since: null, failure: null }])
})

test('one that goes on is running', async () => {
  const book = createRoundBook(() => new Date())
  let end = () => {}
  const held = new Promise<void>((resolve) => (end = resolve))
  const running = book.watch({ seconds: 1, name: 'slow', run: () => held }).run()
  expect(book.states()).toMatchObject([{ running: true, duration_ms: null }])
  end()
  await running
  expect(book.states()).toMatchObject([{ running: false, duration_ms: expect.any(Number) }])
})
