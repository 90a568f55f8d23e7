import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { startupPacket } from '../testing/postgres-gateway.ts'
import { readFirstPacket } from './startup.ts'

const kindOf = (bytes: Buffer) => readFirstPacket(bytes).kind
const words = (...numbers: number[]) => {
  const bytes = Buffer.alloc(numbers.length * 4)
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, index * 4)
  return bytes
}

test('a packet is read once it is all there, whatever parts it comes in', () => {
  const packet = startupPacket([
    ['user', 'ada'],
    ['database', 'shop'],
    ['application_name', 'psql'],
    ['unknown_one', 'a secret'],
  ])
  for (let at = 0; at < packet.length; at++)
    expect(kindOf(packet.subarray(0, at))).toBe('incomplete')
  const startup = { user: 'ada', database: 'shop', applicationName: 'psql' }
  const read = { kind: 'startup', length: packet.length, startup }
  expect(readFirstPacket(packet)).toEqual(read)
  expect(readFirstPacket(Buffer.concat([packet, Buffer.from('more')]))).toEqual(read)
  expect(readFirstPacket(startupPacket([['user', 'ada']]))).toMatchObject({
    startup: { user: 'ada', database: 'ada', applicationName: '' },
  })
})

test.each([
  [
    'a name twice',
    [
      ['user', 'ada'],
      ['user', 'supabase_admin'],
    ],
  ],
  [
    'a database twice',
    [
      ['user', 'ada'],
      ['database', 'a'],
      ['database', 'b'],
    ],
  ],
] satisfies [string, [string, string][]][])('%s is refused', (_, parameters) => {
  expect(readFirstPacket(startupPacket(parameters))).toMatchObject({
    kind: 'refused',
    refusal: { code: '08P01' },
  })
})

test.each([
  ['no end', 'user\0ada'],
  ['no terminator', 'user\0ada\0'],
  ['more behind the terminator', 'user\0ada\0\0user\0supabase_admin\0\0'],
  ['a name without a value', 'user\0\0'],
])('%s is refused', (_, body) => {
  const packet = Buffer.concat([words(8 + body.length, 196_608), Buffer.from(body)])
  // A value may be empty, and then the packet lacks its terminator.
  expect(readFirstPacket(packet)).toMatchObject({ kind: 'refused', refusal: { code: '08P01' } })
})

test('other versions are refused, and what is no packet gets no answer', () => {
  expect(readFirstPacket(startupPacket([['user', 'ada']], 131_072))).toMatchObject({
    refusal: { code: '0A000', message: expect.stringContaining('2.0') },
  })
  expect(kindOf(startupPacket([['user', 'ada']], 196_610))).toBe('startup')
  expect(kindOf(Buffer.from('GET / HTTP/1.1\r\n\r\n'))).toBe('foreign')
  // The first bytes of TLS without a question before it.
  expect(kindOf(Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1]))).toBe('foreign')
  for (const length of [0, 4, 7, 10_005, 0xffff_ffff])
    expect(kindOf(words(length, 196_608))).toBe('foreign')
  expect(kindOf(words(10_004, 196_608))).toBe('incomplete')
})

test('questions before the packet, and requests to cancel', () => {
  expect(readFirstPacket(words(8, 80_877_103))).toEqual({ kind: 'encryption', length: 8 })
  expect(readFirstPacket(words(8, 80_877_104))).toEqual({ kind: 'encryption', length: 8 })
  expect(kindOf(words(12, 80_877_103, 0))).toBe('foreign')
  expect(readFirstPacket(words(16, 80_877_102, 1, 2))).toEqual({ kind: 'cancel', length: 16 })
})

test('no bytes make it fail', () => {
  for (let round = 0; round < 3000; round++) {
    const body = randomBytes(round % 60)
    if (round % 2 === 0) for (let at = 0; at < body.length; at += 3) body[at] = 0
    const packet = Buffer.concat([words(8 + body.length, 196_608), body])
    expect(['startup', 'refused']).toContain(kindOf(packet))
    readFirstPacket(randomBytes(round % 40))
  }
})
