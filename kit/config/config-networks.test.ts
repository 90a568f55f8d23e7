import { expect, test } from 'vitest'
import { ConfigError, readConfig } from '../config.ts'
import { rangeText } from '../network/ip-ranges.ts'

const read = (value: string) => readConfig({ PLINTH_FUNCTIONS_ALLOWED_NETWORKS: value })

test.each([
  ['169.254.169.254', 'cannot be allowed'],
  ['169.254.0.0/16', 'cannot be allowed'],
  ['169.254.170.2', 'cannot be allowed'],
  ['100.100.100.200', 'cannot be allowed'],
  ['168.63.129.16', 'cannot be allowed'],
  ['192.0.0.192', 'cannot be allowed'],
  ['127.0.0.1', 'cannot be allowed'],
  ['0.0.0.0', 'cannot be allowed'],
  ['224.0.0.1', 'cannot be allowed'],
  ['localhost', 'cannot be allowed by its name'],
  ['127.0.0.0/8', 'has to be single addresses'],
  ['127.0.0.2/31', 'has to be single addresses'],
  ['0.0.0.0/0', 'is more than the inner network'],
  ['172.0.0.0/8', 'is more than the inner network'],
  ['8.8.8.8', 'is no part of the inner network'],
  ['10.0.0.5:5432', 'has a port'],
  ['db.internal:5432', 'has a port'],
  ['[fd00:ec2::254]', 'is IPv6'],
  ['fd00::/8', 'is IPv6'],
  ['::ffff:169.254.169.254', 'is IPv6'],
  ['10.0.0.1/8', 'is no range'],
  ['10.0.0.0/33', 'is no range'],
  ['10.0.0.256', 'is no address, range or host name'],
  ['0x7f000001', 'is no address, range or host name'],
  ['2130706433', 'is no address, range or host name'],
  ['*.internal', 'is no address, range or host name'],
  ['http//db', 'is no address, range or host name'],
])('functions cannot be allowed %s', (entry, problem) => {
  const line = `PLINTH_FUNCTIONS_ALLOWED_NETWORKS: ${entry} ${problem}`
  expect(() => read(`10.0.0.1, ${entry}`)).toThrow(line)
  expect(() => read(`10.0.0.1, ${entry}`)).toThrow(ConfigError)
})

test('each bad part gets a line of its own, and there are not too many parts', () => {
  expect(() => read('8.8.8.8, 10.0.0.0/8, 169.254.169.254')).toThrow(
    /^PLINTH_\w+: 8\.8\.8\.8 is no part.*\nPLINTH_\w+: 169\.254\.169\.254 cannot be allowed$/,
  )
  const many = (count: number) => Array.from({ length: count }, (_, i) => `10.0.0.${i}`).join()
  expect(read(many(64)).allowedNetworks.ranges).toHaveLength(64)
  expect(() => read(many(65))).toThrow(/must not have more than 64 parts/)
})

test('databases have a list of their own, without names', () => {
  const setting = 'PLINTH_DATABASES_ALLOWED_NETWORKS'
  expect(() => readConfig({ [setting]: '127.0.0.1' })).toThrow(`${setting}: 127.0.0.1 cannot be`)
  expect(() => readConfig({ [setting]: 'db.internal' })).toThrow(
    `${setting}: db.internal is a host name`,
  )
  const { databaseNetworks } = readConfig({ [setting]: '10.0.4.0/24, 127.0.0.2' })
  expect(databaseNetworks.ranges.map(rangeText)).toEqual(['10.0.4.0/24', '127.0.0.2'])
})

test('log drains have a list of their own, by the same rules', () => {
  const setting = 'PLINTH_LOG_DRAINS_ALLOWED_NETWORKS'
  expect(() => readConfig({ [setting]: '127.0.0.1' })).toThrow(`${setting}: 127.0.0.1 cannot be`)
  const { drainNetworks, allowedNetworks } = readConfig({ [setting]: 'loki.internal' })
  expect([drainNetworks.names, allowedNetworks.names]).toEqual([['loki.internal'], []])
})

test('nothing is allowed unless told; ranges, addresses and names are', () => {
  expect(readConfig({}).allowedNetworks).toEqual({ ranges: [], names: [] })
  const { ranges, names } = read(
    ' 10.0.0.0/8,192.168.1.7, 127.0.0.2, DB.internal,db.internal, queue,, 100.64.0.0/10',
  ).allowedNetworks
  expect(ranges.map(rangeText)).toEqual(['10.0.0.0/8', '192.168.1.7', '127.0.0.2', '100.64.0.0/10'])
  expect(names).toEqual(['db.internal', 'queue'])
})
