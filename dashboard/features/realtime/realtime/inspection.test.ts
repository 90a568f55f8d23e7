import { expect, test } from 'vitest'
import { matching, maxKept, nothingHeard, objectFrom, withNew, type Message } from './inspection.ts'

const message = (id: number, more: Partial<Message> = {}): Message => ({
  id,
  at: id,
  kind: 'broadcast',
  title: `m${id}`,
  payload: {},
  text: `m${id}`,
  ...more,
})

test('the newest are kept, and all are counted', () => {
  const many = Array.from({ length: maxKept + 5 }, (_, i) => message(i))
  const heard = withNew(withNew(nothingHeard, many), [message(9999, { kind: 'system' })])
  expect(heard.messages).toHaveLength(maxKept)
  expect(heard.messages[0]?.id).toBe(9999)
  expect(heard.messages.at(-1)?.id).toBe(6)
  expect(heard.counts).toEqual({ broadcast: maxKept + 5, presence: 0, change: 0, system: 1 })
})

test('messages are found by kind and words', () => {
  const all = [message(1, { text: 'Hello' }), message(2, { kind: 'change', text: 'hello row' })]
  const ids = (kind: 'all' | 'change', words: string) =>
    matching(all, kind, words).map(({ id }) => id)
  expect(ids('all', '')).toEqual([1, 2])
  expect(ids('all', ' HELLO ')).toEqual([1, 2])
  expect(ids('change', 'hello')).toEqual([2])
  expect(ids('all', 'nothing')).toEqual([])
})

test('only objects are sent', () => {
  expect(objectFrom('{"a":1}')).toEqual({ a: 1 })
  for (const text of ['[1]', 'null', '1', '{', '']) expect(objectFrom(text)).toBeUndefined()
})
