import fc from 'fast-check'
import { expect, it } from 'vitest'
import { redactSearch, redactText, redactUrl } from './redact.ts'

it('hides what lets somebody in, and leaves the rest of a query as it is', () => {
  expect(redactSearch('?select=*&apikey=abc&id=eq.5')).toBe('?select=*&apikey=[redacted]&id=eq.5')
  expect(redactSearch('?Token=a%26b')).toBe('?Token=[redacted]')
  expect(redactSearch('?X-Amz-Signature=abc&X-Amz-Credential=AK/x')).toBe(
    '?X-Amz-Signature=[redacted]&X-Amz-Credential=[redacted]',
  )
  expect(redactSearch('?keyword=a&codec=b')).toBe('?keyword=a&codec=b')
  expect(redactSearch('')).toBe('')
})

it('knows a name whichever way it is encoded', () => {
  expect(redactSearch('?api%6bey=abc')).toBe('?api%6bey=[redacted]')
  expect(redactSearch('?api%256bey=abc')).toBe('?api%256bey=[redacted]')
  expect(redactSearch('?%zz=abc&token=x')).toBe('?%zz=abc&token=[redacted]')
})

it('hides tokens in the fragment of an address', () => {
  expect(redactUrl('https://a.example/x?code=1#access_token=abc&type=recovery')).toBe(
    'https://a.example/x?code=[redacted]#access_token=[redacted]&type=recovery',
  )
  expect(redactUrl('https://a.example/x')).toBe('https://a.example/x')
})

it('hides tokens and named secrets in text', () => {
  expect(redactText('sent eyJhbGciOiJI.eyJzdWIiOiIx.abc_-9 to them')).toBe(
    'sent [redacted] to them',
  )
  expect(redactText('key sb_secret_abcDEF123')).toBe('key sb_secret_[redacted]')
  expect(redactText('{"password":"hunter2","name":"x"}')).toBe(
    '{"password":"[redacted]","name":"x"}',
  )
  expect(redactText('password authentication failed for user "x"')).toBe(
    'password authentication failed for user "x"',
  )
})

it('lets no secret of any query through', () => {
  const secret = fc.stringMatching(/^S[a-z]{12}S$/)
  const name = fc.constantFrom('apikey', 'TOKEN', 'refresh_token', 'x-amz-security-token', 'code')
  const other = fc.tuple(fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[a-z.%0-9]{0,8}$/))
  fc.assert(
    fc.property(name, secret, fc.array(other), fc.array(other), (key, value, before, after) => {
      const query = [...before, [key, value], ...after].map((pair) => pair.join('=')).join('&')
      expect(redactSearch(`?${query}`)).not.toContain(value)
    }),
  )
})
