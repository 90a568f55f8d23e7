import { crc32, inflateRawSync } from 'node:zlib'

/** Entries of a zip by their names, read by its directory; folders end with a slash. @throws when it is no whole archive */
export function unzip(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf('PK\x05\x06')
  if (end < 0) throw new Error('The archive has no end')
  const entries = new Map<string, Buffer>()
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.toString('latin1', at, at + 4) !== 'PK\x01\x02') throw new Error('An entry is missing')
    const nameEnd = at + 46 + zip.readUInt16LE(at + 28)
    const name = zip.toString('utf8', at + 46, nameEnd)
    if (entries.has(name)) throw new Error(`${name} is there twice`)
    entries.set(name, bytesOf(zip, at))
    at = nameEnd + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return entries
}

function bytesOf(zip: Buffer, at: number): Buffer {
  const header = zip.readUInt32LE(at + 42)
  const from = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28)
  const stored = zip.subarray(from, from + zip.readUInt32LE(at + 20))
  const bytes = zip.readUInt16LE(at + 10) === 0 ? stored : inflateRawSync(stored)
  if (bytes.length !== zip.readUInt32LE(at + 24) || crc32(bytes) !== zip.readUInt32LE(at + 16))
    throw new Error('An entry is not what it was')
  return Buffer.from(bytes)
}
