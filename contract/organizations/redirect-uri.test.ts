import { expect, test } from 'vitest'
import { redirectUriProblem } from './redirect-uri.ts'

test.each([
  'https://example.com/callback',
  'https://example.com:8443/callback?from=plinth',
  'http://localhost:3000/cb',
  'http://127.0.0.1:3000/cb',
  'http://[::1]:3000/cb',
  'com.example.app:/oauth',
])('%s can get a code', (uri) => {
  expect(redirectUriProblem(uri)).toBeUndefined()
})

test.each([
  'http://example.com/callback',
  'http://localhost.evil.example/cb',
  'http://127.0.0.1.evil.example/cb',
  'https://good.example@evil.example/cb',
  'https://user:password@example.com/cb',
  'https://example.com/cb#fragment',
  'https://*.example.com/cb',
  'https://example.com\\@evil.example/cb',
  'https://example.com/ cb',
  'https://exämple.com/cb',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'blob:https://example.com/x',
  'ftp://example.com/',
  'myapp:/cb',
  '/callback',
  '//evil.example/cb',
  'example.com/cb',
  '',
])('%s cannot', (uri) => {
  expect(redirectUriProblem(uri)).toEqual(expect.any(String))
})
