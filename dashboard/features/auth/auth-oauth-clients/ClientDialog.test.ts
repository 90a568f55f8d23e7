import { expect, test } from 'vitest'
import { addressesIn, addressesProblem } from './ClientDialog.tsx'

test.each([
  [' \n ', 'An app needs one'],
  ['https://a.example.com\nhttp://b.example.com', 'http://b.example.com must start with https://'],
  ['https://*.example.com', 'https://*.example.com must be one exact address'],
  [Array(21).fill('https://a.example.com').join('\n'), 'At most 20'],
])('%j is refused', (text, message) => {
  expect(addressesProblem(text)).toContain(message)
})

test('each line is an address; empty ones are none', () => {
  const text = ' https://a.example.com/x \n\ncom.example.app:/back\n'
  expect(addressesIn(text)).toEqual(['https://a.example.com/x', 'com.example.app:/back'])
  expect(addressesProblem(text)).toBeUndefined()
})
