import { expect, test } from 'vitest'
import { isTlsMode, isTlsRefusal, openByWays, tlsModes, tlsWays } from './tls-modes.ts'

const encrypted = { rejectUnauthorized: false }

test('what a server is asked for, and what after that', () => {
  expect(tlsWays('disable')).toEqual([false])
  expect(tlsWays('allow')).toEqual([false, encrypted])
  expect(tlsWays('prefer')).toEqual([encrypted, false])
  expect(tlsWays('require')).toEqual([encrypted])
  expect(tlsWays('verify-full', { ca: 'pem' })).toEqual([{ ca: 'pem' }])
})

test('certificates are looked at where that is asked for, names only by verify-full', () => {
  for (const [way] of [tlsWays('verify-ca'), tlsWays('require', { ca: 'pem' })]) {
    expect(way).not.toHaveProperty('rejectUnauthorized')
    expect(way).toHaveProperty('checkServerIdentity')
  }
  const [full] = tlsWays('verify-full')
  expect(full).toEqual({})
})

test('the second way is taken where the server refuses the first, and nowhere else', async () => {
  const none = new Error('The server does not support SSL connections')
  const noEntry = Object.assign(new Error('no pg_hba.conf entry'), { code: '28000' })
  const wrong = Object.assign(new Error('password authentication failed'), { code: '28P01' })
  const tried: unknown[] = []
  const open = (failure: Error, ways = tlsWays('prefer')) =>
    openByWays(ways, async (ssl) => {
      tried.push(ssl)
      if (ssl === ways[0]) throw failure
      return 'open'
    })
  expect(await open(none)).toBe('open')
  expect(await open(noEntry, tlsWays('allow'))).toBe('open')
  expect(tried).toEqual([encrypted, false, false, encrypted])
  await expect(open(wrong)).rejects.toBe(wrong)
  await expect(open(none, tlsWays('require'))).rejects.toBe(none)
  expect(tried).toHaveLength(6)
})

test('words that are none', () => {
  expect(tlsModes.every(isTlsMode)).toBe(true)
  expect(isTlsMode('on')).toBe(false)
  expect(isTlsRefusal('does not support SSL')).toBe(false)
})
