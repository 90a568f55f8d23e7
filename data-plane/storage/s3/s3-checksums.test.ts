import { expect, test } from 'vitest'
import { checksum, type ChecksumName } from './s3-checksums.ts'

/** The sums that the catalogues of checksums print of these nine bytes. */
test.each<[ChecksumName | 'md5', string]>([
  ['crc32', 'cbf43926'],
  ['crc32c', 'e3069283'],
  ['crc64nvme', 'ae8b14860a799888'],
  ['md5', '25f9e794323b453885f5181f1b624d0b'],
  ['sha1', 'f7c3bc1d808e04732adf679965ccc34ca7ae3441'],
  ['sha256', '15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225'],
])('%s', (name, expected) => {
  const sum = checksum(name)
  for (const part of ['1234', '', '56789']) sum.update(Buffer.from(part))
  expect(Buffer.from(sum.digest(), 'base64').toString('hex')).toBe(expected)
})
