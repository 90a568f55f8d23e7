import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keySetOfSecret } from '#kit/jwt-key-set'
import { createTokens, TokenError } from './tokens.ts'

const secret = 'the secret of one project, long enough'
const keySet = keySetOfSecret(secret)
const now = 1_700_000_000
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function sign(claims: unknown, header: unknown = { alg: 'HS256' }, key = secret): string {
  const signed = `${encode(header)}.${encode(claims)}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}

function codeOf(token: string, at = now, key = keySet): string {
  try {
    createTokens().verify(token, key, at)
    return 'accepted'
  } catch (error) {
    if (error instanceof TokenError) return `${error.code} ${error.message}`
    throw error
  }
}

test('a good token gives its role and its claims as they were signed', () => {
  const token = sign({ role: 'authenticated', sub: 'ä', exp: now + 1, n: 1.0 })
  expect(createTokens().verify(token, keySet, now)).toMatchObject({
    role: 'authenticated',
    claims: JSON.stringify({ role: 'authenticated', sub: 'ä', exp: now + 1, n: 1.0 }),
  })
  expect(createTokens().verify(sign({ sub: 'x' }), keySet, now).role).toBe('anon')
})

describe('refused', () => {
  const [head = '', body = '', signature = ''] = sign({ role: 'anon' }).split('.')
  const unsigned = `${encode({ alg: 'none' })}.${encode({ role: 'service_role' })}.`
  test.each<[string, string]>([
    ['', 'Empty JWT'],
    ['a', 'Expected 3 parts in JWT; got 1'],
    [`${head}.${body}`, 'Expected 3 parts in JWT; got 2'],
    [`${head}.${body}.${signature}.x`, 'Expected 3 parts in JWT; got 4'],
    [`x.${body}.${signature}`, 'header cannot be decoded'],
    [unsigned, 'No suitable key'],
    [sign({ role: 'x' }, { alg: 'HS256', crit: ['b64'] }), 'No suitable key'],
    [sign({ role: 'x' }, { alg: 'hs256' }), 'No suitable key'],
    [sign({ role: 'x' }, {}), 'No suitable key'],
    [sign({ role: 'x' }, { alg: 'HS256' }, 'other'), 'No suitable key'],
    [`${head}.${encode({ role: 'service_role' })}.${signature}`, 'No suitable key'],
    [`${head}.${body}.${signature}=`, 'No suitable key'],
    [`${head}.${body}.${signature.slice(0, -1)}`, 'No suitable key'],
    [sign(5), 'claims cannot be decoded'],
    [sign([1]), 'claims cannot be decoded'],
    [sign({ role: 5 }), "'role' claim must be a string"],
    [sign({ role: '' }), "'role' claim must be a string"],
    [sign({ exp: 'x' }), "'exp' claim must be a number"],
    [sign({ exp: now - 31 }), 'JWT expired'],
    [sign({ nbf: now + 31 }), 'JWT not yet valid'],
    [sign({ iat: 9e12 }), 'JWT issued at future'],
    ['x'.repeat(20_000), 'Expected 3 parts'],
  ])('%s', (token, message) => {
    expect(codeOf(token)).toContain(message)
  })

  test('no other bytes than the signed ones', () => {
    const token = sign({ role: 'service_role' })
    fc.assert(
      fc.property(
        fc.nat(token.length - 1),
        fc.constantFrom('A', 'z', '0', '9', '-', '_', '.', '='),
        (at, char) => {
          const other = token.slice(0, at) + char + token.slice(at + 1)
          fc.pre(other !== token)
          expect(codeOf(other)).not.toBe('accepted')
        },
      ),
      { numRuns: 500 },
    )
  })
})

test('the clocks may differ by half a minute', () => {
  expect(codeOf(sign({ exp: now - 29, nbf: now + 29 }))).toBe('accepted')
})

test('a remembered token is still judged by time and by secret', () => {
  const tokens = createTokens()
  const token = sign({ exp: now + 100 })
  tokens.verify(token, keySet, now)
  expect(() => tokens.verify(token, keySet, now + 131)).toThrow('JWT expired')
  tokens.verify(token, keySet, now)
  expect(() => tokens.verify(token, keySetOfSecret('another secret'), now)).toThrow(
    'No suitable key',
  )
})
