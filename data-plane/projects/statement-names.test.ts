import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { StatementNames, statementNames } from './statement-names.ts'

test('a text is prepared when it comes a second time, and known from then on', () => {
  const names = new StatementNames()
  expect(names.nameFor('a')).toEqual({ name: '', known: false })
  expect(names.nameFor('a')).toEqual({ name: 'plinth_1', known: false })
  expect(names.nameFor('a')).toEqual({ name: 'plinth_1', known: true })
})

test('the number of prepared statements is bounded; the least recently used ones are closed', () => {
  const names = new StatementNames()
  const twice = (text: string) => [names.nameFor(text), names.nameFor(text)][1]?.name
  const first = twice('first')
  for (let i = 0; i < 99; i++) twice(`text ${i}`)
  expect(names.takeDropped()).toEqual([])
  names.nameFor('first')
  twice('one more')
  expect(names.takeDropped()).toEqual(['plinth_2'])
  expect(names.nameFor('first')).toEqual({ name: first, known: true })
})

test('texts that come once are not remembered for ever', () => {
  const names = new StatementNames()
  names.nameFor('early')
  for (let i = 0; i < 100; i++) names.nameFor(`text ${i}`)
  expect(names.nameFor('early').name).toBe('')
})

test('a very long text is never prepared', () => {
  const names = new StatementNames()
  const text = 'x'.repeat(4001)
  for (let i = 0; i < 3; i++) expect(names.nameFor(text)).toEqual({ name: '', known: false })
})

test('a new epoch closes all of them', () => {
  const names = new StatementNames()
  names.enter(1)
  for (const text of ['a', 'a', 'b', 'b']) names.nameFor(text)
  names.enter(1)
  expect(names.takeDropped()).toEqual([])
  names.enter(2)
  expect(names.takeDropped()).toEqual(['plinth_1', 'plinth_2'])
  expect(names.nameFor('a').known).toBe(false)
})

test('each connection has its own', () => {
  const [a, b] = [new EventEmitter(), new EventEmitter()]
  expect(statementNames(a)).toBe(statementNames(a))
  expect(statementNames(a)).not.toBe(statementNames(b))
  a.emit('bindComplete')
  expect([statementNames(a).bound, statementNames(b).bound]).toEqual([1, 0])
})
