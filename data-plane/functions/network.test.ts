import { networkInterfaces } from 'node:os'
import { afterEach, expect, test, vi } from 'vitest'
import { ipRange } from '#kit/network/ip-ranges'
import { silentLog } from '#kit/log'
import { createNetwork, type Closed } from './network.ts'

type Found = Record<string, string[]>

async function denied(allowed: string[], closed: Closed[] = [], found: Found = {}) {
  const asked: string[] = []
  const network = createNetwork({
    allowed: {
      ranges: allowed.flatMap((entry) => ipRange(entry) ?? []),
      names: allowed.filter((entry) => !ipRange(entry)),
    },
    closed,
    log: silentLog,
    find: (name) => {
      asked.push(name)
      const addresses = found[name]
      return addresses ? Promise.resolve(addresses) : Promise.reject(new Error('ENOTFOUND'))
    },
  })
  const list = (await network.denied()).split(',')
  return { list, asked, network }
}

const inner = ['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.0/8']
const always = ['169.254.0.0/16', '100.100.100.200', '127.0.0.1', '[::1]', '[fd00:ec2::254]']
const own = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .filter(({ family }) => family === 'IPv4')
  .map(({ address }) => address)

afterEach(() => void vi.useRealTimers())

test('unless something is allowed, the whole inner network is denied and no name asked for', async () => {
  const { list, asked } = await denied([], [{ host: 'db.internal', port: 5432 }])
  expect(list).toEqual(expect.arrayContaining([...inner, ...always, ...own]))
  expect(list.filter((each) => each.includes('5432'))).toEqual([])
  expect(asked).toEqual([])
})

test('what is allowed is taken out; metadata services and this machine stay denied', async () => {
  const { list } = await denied(['10.0.0.0/9', '100.64.0.0/10', '127.0.0.2'])
  expect(list).toEqual(expect.arrayContaining(['10.128.0.0/9', ...always, ...own]))
  for (const gone of ['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '127.0.0.2']) {
    expect(list).not.toContain(gone)
  }
  expect(list).toContain('127.0.0.3')
})

test('the most that can be allowed still fits into what a program is started with', async () => {
  const many = Array.from({ length: 64 }, (_, i) => `10.${i * 4}.${i}.77`)
  const names = Array.from({ length: 200 }, (_, i) => `10.${i}.128.9`)
  const { list } = await denied([...many, 'many.internal'], [], { 'many.internal': names })
  expect(list.join(',').length).toBeLessThan(100_000)
  expect(list).not.toContain('10.0.128.9')
})

test('a name stands for its addresses of the inner network, and for nothing of this machine', async () => {
  const addresses = ['10.0.0.7', '127.0.0.9', '169.254.169.254', '8.8.8.8']
  const { list } = await denied(['db.internal'], [], { 'db.internal': addresses })
  expect(list).toEqual(expect.arrayContaining(['10.0.0.6', '127.0.0.0/8', ...always]))
  expect(list).not.toContain('10.0.0.7')
})

test('a name that nobody knows opens nothing, and is not asked for by every worker', async () => {
  const { list, asked, network } = await denied(['none.internal'])
  expect(list).toEqual(expect.arrayContaining(inner))
  await network.denied()
  expect(asked).toEqual(['none.internal'])
})

test('a name that is never answered holds nobody up and opens nothing', async () => {
  vi.useFakeTimers()
  const find = () => new Promise<string[]>(() => undefined)
  const allowed = { ranges: [], names: ['slow.internal'] }
  const network = createNetwork({ allowed, closed: [], log: silentLog, find })
  const denying = network.denied()
  await vi.advanceTimersByTimeAsync(2000)
  expect((await denying).split(',')).toEqual(expect.arrayContaining(inner))
})

test('servers of the platform stay denied within what is allowed', async () => {
  const closed = [
    { host: '127.0.0.1', port: 8000 },
    { host: '10.0.0.3', port: 5432 },
    { host: 'db.internal', port: 6000 },
    { host: 'nobody.internal', port: 7000 },
  ]
  const found = { 'db.internal': ['10.0.0.4'] }
  const { list } = await denied(['10.0.0.0/8', '127.0.0.2'], closed, found)
  expect(list).toEqual(
    expect.arrayContaining([
      '127.0.0.2:8000',
      '10.0.0.3:5432',
      '10.0.0.4:6000',
      '10.0.0.0/8:7000',
      '127.0.0.2:7000',
    ]),
  )
  expect(list).not.toContain('127.0.0.2:5432')
})
