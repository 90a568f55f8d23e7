import { expect, test } from 'vitest'
import { createLog } from './log.ts'

function printed(value: object): string {
  const lines: string[] = []
  createLog('test', 'info', { write: (line) => void lines.push(line) }).info(value, 'said')
  return lines.join('')
}

test('a line is JSON and names its program', () => {
  expect(JSON.parse(printed({ ref: 'a' }))).toMatchObject({
    program: 'test',
    msg: 'said',
    ref: 'a',
  })
})

test.each([
  { password: 'swordfish' },
  { body: { db_pass: 'swordfish' } },
  { a: { b: { jwtSecret: 'swordfish' } } },
  { req: { headers: { authorization: 'swordfish' } } },
  { headers: { apikey: 'swordfish', cookie: 'swordfish' } },
  { session: { access_token: 'swordfish', refresh_token: 'swordfish' } },
])('no secret of %o reaches the log', (value) => {
  const line = printed(value)
  expect(line).toContain('[redacted]')
  expect(line).not.toContain('swordfish')
})
