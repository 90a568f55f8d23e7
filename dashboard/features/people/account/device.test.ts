import { expect, test } from 'vitest'
import { deviceOf } from './device.ts'

const mozilla = 'Mozilla/5.0'
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [`${mozilla} (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0`, 'Firefox on Linux'],
  [`${mozilla} (Windows NT 10.0) ${webkit} Chrome/130.0 Safari/537.36`, 'Chrome on Windows'],
  [
    `${mozilla} (Windows NT 10.0) ${webkit} Chrome/130.0 Safari/537.36 Edg/130.0`,
    'Edge on Windows',
  ],
  [`${mozilla} (Macintosh; Intel Mac OS X 14_5) Version/17.5 Safari/605.1`, 'Safari on macOS'],
  [`${mozilla} (iPhone; CPU iPhone OS 17_5 like Mac OS X) CriOS/130 Safari/604`, 'Chrome on iOS'],
  [`${mozilla} (Linux; Android 14) ${webkit} Chrome/130 Mobile Safari/537`, 'Chrome on Android'],
  ['curl/8.5.0', 'curl'],
  ['', 'Unknown device'],
])('%s is %s', (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device)
})
