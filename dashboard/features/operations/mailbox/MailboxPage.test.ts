import fc from 'fast-check'
import { expect, test } from 'vitest'
import { partsOf } from './MailboxPage.tsx'

test('addresses become links, without the full stop of their sentence', () => {
  expect(partsOf('Open http://localhost:8000/verify?a=1. Thanks')).toEqual([
    { text: 'Open ' },
    { text: 'http://localhost:8000/verify?a=1', href: 'http://localhost:8000/verify?a=1' },
    { text: '. Thanks' },
  ])
})

test('nothing of a text is lost, and only http addresses become links', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), fc.webUrl(), (text, url) => {
      const whole = `${text} ${url}\n${text}`
      const parts = partsOf(whole)
      expect(parts.map((part) => part.text).join('')).toBe(whole)
      expect(parts.every(({ href }) => !href || /^https?:\/\//.test(href))).toBe(true)
    }),
  )
})

test.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://host/file'])(
  '%s stays text',
  (text) => {
    expect(partsOf(text).some(({ href }) => href)).toBe(false)
  },
)
