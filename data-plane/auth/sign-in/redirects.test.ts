import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultAuthConfig } from '../config.ts'
import { matchesGlob, redirectTarget, withFragment, withQuery } from './redirects.ts'

const siteUrl = 'https://site.example.com'
const config = (...uriAllowList: string[]) => defaultAuthConfig({ siteUrl, uriAllowList })

test.each([
  ['https://a.b/c', 'https://a.b/c', true],
  ['https://a.b/*', 'https://a.b/c', true],
  ['https://a.b/*', 'https://a.b/c/d', false],
  ['https://a.b/*', 'https://a.b/c.d', false],
  ['https://a.b/**', 'https://a.b/c/d.e', true],
  ['https://*.b.c', 'https://a.b.c', true],
  ['https://*.b.c', 'https://x.a.b.c', false],
  ['https://a.b/?', 'https://a.b/c', true],
  ['https://a.b/?', 'https://a.b/', false],
  ['https://a.b/?', 'https://a.b/.', false],
  ['', '', true],
  ['**', 'anything/at.all', true],
  ['a+(b)[c]', 'a+(b)[c]', true],
])('glob %s and %s: %s', (glob, text, matches) => {
  expect(matchesGlob(glob, text)).toBe(matches)
})

test('a glob means what the equal regular expression means', () => {
  const pieces = fc.constantFrom('a', '.', '/', '*', '**', '?', 'é')
  const texts = fc.array(fc.constantFrom('a', 'b', '.', '/', 'é')).map((list) => list.join(''))
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), texts, (list, text) => {
      const glob = list.join('')
      const source = (glob.match(/\*+|[^*]/gu) ?? []).map((token) => {
        if (token === '*') return '[^./]*'
        if (token.startsWith('*')) return '.*'
        return token === '?' ? '[^./]' : token.replace(/[./]/, '\\$&')
      })
      return matchesGlob(glob, text) === new RegExp(`^${source.join('')}$`, 'su').test(text)
    }),
    { numRuns: 2000 },
  )
})

test('a glob made to be slow is not', () => {
  const glob = '**a'.repeat(200)
  expect(matchesGlob(glob, 'a'.repeat(2000))).toBe(true)
  expect(matchesGlob(glob, `${'a'.repeat(2000)}b`)).toBe(false)
})

test.each([
  [undefined, siteUrl],
  ['', siteUrl],
  ['/relative', siteUrl],
  ['//evil.example.com', siteUrl],
  ['https://evil.example.com', siteUrl],
  ['https://site.example.com.evil.com', siteUrl],
  ['https://site.example.com@evil.com', siteUrl],
  ['https://user:pw@site.example.com/', siteUrl],
  ['http://site.example.com/', siteUrl],
  ['https://site.example.com:444/', siteUrl],
  [`https://site.example.com/${'x'.repeat(3000)}`, siteUrl],
  ['https:\\\\evil.example.com', siteUrl],
  ['https://site.example.com/a?b=c#d', 'https://site.example.com/a?b=c'],
  ['HTTPS://SITE.example.com/a', 'https://site.example.com/a'],
  ['https://app.example.com/sub/../x', 'https://app.example.com/x'],
  ['myapp://callback', 'myapp://callback'],
  ['myapp://other', siteUrl],
])('%s leads to %s', (asked, target) => {
  const allowed = config('https://app.example.com/*', 'myapp://callback')
  expect(redirectTarget(allowed, asked)).toBe(target)
})

test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'blob:https://a/b'])(
  'not even an allow-list of everything makes %s a target',
  (asked) => {
    expect(redirectTarget(config('**'), asked)).toBe(siteUrl)
  },
)

test('a target is the site, has its origin, or matches the list', () => {
  const allowed = config('https://*.good.example/**', 'app://x/?')
  const part = fc.constantFrom(
    'https://',
    'http:',
    '//',
    'site.example.com',
    '.good.example',
    '@',
    '\\',
    '/',
    'x',
    '.',
    ':443',
    '#',
    '?',
    'app://x/',
    'javascript:',
    '\t',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const target = redirectTarget(allowed, parts.join(''))
      if (target === siteUrl) return true
      const url = new URL(target)
      const ours = url.origin === siteUrl || /^https:\/\/[^./]*\.good\.example(\/|$)/.test(target)
      return url.username === '' && url.hash === '' && (ours || /^app:\/\/x\/[^./]$/.test(target))
    }),
    { numRuns: 5000 },
  )
})

test('values are encoded into fragment and query', () => {
  expect(withFragment('https://a.b/?c=d', { e: 'f g&h' })).toBe('https://a.b/?c=d#e=f+g%26h')
  expect(withQuery('https://a.b/?c=d', { code: 'x&y' })).toBe('https://a.b/?c=d&code=x%26y')
})
