import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createLog, limitRepeats } from './log.ts'

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

test('the same warning is written ten times in ten seconds, and the next one says how many were left out', () => {
  const lines: string[] = []
  let now = 0
  const to = { write: (line: string) => void lines.push(line) }
  const log = pino({ hooks: limitRepeats(() => now) }, to)
  const say = () => log.child({ a: 1 }).warn({ err: new Error('gone') }, 'no database')
  for (let i = 0; i < 25; i += 1) say()
  log.warn({ err: new Error('another') }, 'no database')
  for (let i = 0; i < 25; i += 1) log.info('a request')
  expect(lines).toHaveLength(10 + 1 + 25)
  now = 10_000
  say()
  expect(lines.slice(36).map((line): unknown => JSON.parse(line))).toMatchObject([
    { msg: 'lines were left out', left: 15, like: 'no database gone' },
    { msg: 'no database' },
  ])
})

test('of an error its words, code, place and cause are written, not the client it hangs on', () => {
  const cause = new Error('reset')
  const client = { secretKey: 987_654_321, processID: 1 }
  const error = Object.assign(new Error('lost', { cause }), { code: '57P01', client })
  const line = printed({ err: error })
  expect(line).not.toContain('987654321')
  const { err } = JSON.parse(line) as { err: { message: string; code: string; stack: string } }
  expect(err).toMatchObject({ type: 'Error', message: 'lost: reset', code: '57P01' })
  expect(err.stack).toContain('log.test.ts')
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
