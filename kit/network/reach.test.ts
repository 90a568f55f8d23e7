import { expect, test } from 'vitest'
import { allowedNetworks } from '../config/config-networks.ts'
import { isReachable, refusalOf } from './reach.ts'

const allowed = allowedNetworks('10.1.0.0/16,127.0.0.2,logs.internal')
const https = 'The address must start with https://'
const refused = (url: string, reach: Parameters<typeof refusalOf>[1] = { allowed }) =>
  refusalOf(new URL(url), reach)

test.each([
  ['https://10.2.0.1/', '10.2.0.1 is not a public address'],
  ['https://127.0.0.1/', '127.0.0.1 is not a public address'],
  ['https://127.0.0.3/', '127.0.0.3 is not a public address'],
  ['https://169.254.169.254/', '169.254.169.254 is not a public address'],
  ['https://[::1]/', '::1 is not a public address'],
  ['https://[::ffff:a02:1]/', '::ffff:a02:1 is not a public address'],
  ['http://example.com/', https],
  ['http://8.8.8.8/', https],
  ['http://localhost/', https],
  ['http://other.logs.internal/', https],
  ['ftp://10.1.0.1/', https],
  ['https://me:pass@10.1.0.1/', 'The address must not contain a user name or password'],
])('%s is refused whatever else is allowed', (url, why) => {
  expect(refused(url)).toBe(why)
})

test('what the operator allows is asked, with plain http too, and without that it is not', () => {
  for (const host of ['10.1.2.3', '127.0.0.2', '[::ffff:a01:203]', 'LOGS.internal'])
    for (const scheme of ['http', 'https']) {
      const url = `${scheme}://${host}:3100/loki`
      expect([url, refused(url)]).toEqual([url, undefined])
      if (scheme === 'http') expect([url, refused(url, {})]).not.toEqual([url, undefined])
    }
  expect(refused('https://example.com/')).toBeUndefined()
})

test('a name stands for private addresses where it is allowed, and never for this machine or what is closed', () => {
  const reach = { allowed }
  expect(isReachable('192.168.1.1', 'logs.internal', reach)).toBe(true)
  expect(isReachable('192.168.1.1', 'evil.example', reach)).toBe(false)
  expect(isReachable('192.168.1.1', 'logs.internal', {})).toBe(false)
  expect(isReachable('10.1.0.1', 'evil.example', reach)).toBe(true)
  for (const address of ['127.0.0.1', '127.0.0.3', '169.254.169.254', '::1', '0.0.0.0', 'fd00::1'])
    expect([address, isReachable(address, 'logs.internal', reach)]).toEqual([address, false])
})
