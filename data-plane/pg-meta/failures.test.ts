import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { failureOf } from './failures.ts'

const ofServer = (code: string) => {
  const error = new DatabaseError('sorry, too many clients already', 0, 'error')
  error.code = code
  return error
}

test.each([
  ['a server that is full', ofServer('53300'), 503],
  ['a server that is starting', ofServer('57P03'), 503],
  ['a statement that took too long', ofServer('57014'), 408],
  [
    'a connection that took too long',
    new Error('Connection terminated due to connection timeout'),
    504,
  ],
  ['a pool that had no session free', new Error('timeout exceeded when trying to connect'), 504],
  ['a session that broke off', new Error('Connection terminated unexpectedly'), 503],
  ['a server that is gone', Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 503],
])('%s is told by its status, in both fields', (_, error, status) => {
  const failure = failureOf(error)
  expect(failure).toMatchObject({ status, body: { code: expect.any(String) } })
  expect(failure?.body['error']).toBe(failure?.body['message'])
})

test('a bug is none of these', () => {
  expect(failureOf(new TypeError('x is undefined'))).toBeUndefined()
})
