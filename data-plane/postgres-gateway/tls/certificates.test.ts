import { X509Certificate } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '#kit/log'
import { issue, loadAuthority } from './authority.ts'
import { createEncryption } from './encryption.ts'

const dayMs = 86_400_000
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plinth-tls-'))
})
afterEach(() => rm(folder, { recursive: true }))
const at = (name: string) => join(folder, name)
const read = (pem: string) => new X509Certificate(pem)

test('a file that holds something else is not replaced', async () => {
  await writeFile(at('authority.pem'), 'something else')
  await expect(loadAuthority(at('authority.pem'))).rejects.toThrow('does not hold a key')
  expect(await readFile(at('authority.pem'), 'utf8')).toBe('something else')
})

test('processes that start at once have one authority, whose file nobody else can read', async () => {
  const file = join(folder, 'new', 'authority.pem')
  const [first, ...others] = await Promise.all([1, 2, 3].map(() => loadAuthority(file)))
  for (const other of others) expect(other.certificate).toBe(first?.certificate)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(join(folder, 'new'))).toEqual(['authority.pem'])
  const found = read(first?.certificate ?? '')
  expect(found.ca).toBe(true)
  expect(found.verify(found.publicKey)).toBe(true)
  expect((await loadAuthority(file)).certificate).toBe(first?.certificate)
})

test('an authority is renewed years before it ends, and who trusts the former trusts what the new one signs', async () => {
  const file = at('authority.pem')
  const former = await loadAuthority(file)
  const later = Date.now() + 8.5 * 365 * dayMs
  const renewed = await loadAuthority(file, () => later)
  expect(renewed.certificate).not.toBe(former.certificate)
  expect(Date.parse(read(renewed.certificate).validTo)).toBeGreaterThan(later + 9 * 365 * dayMs)
  const { certificate } = await issue(renewed, ['localhost'], 90, later)
  expect(read(certificate).checkIssued(read(former.certificate))).toBe(true)
  expect(read(certificate).verify(read(former.certificate).publicKey)).toBe(true)
  expect((await loadAuthority(file, () => later)).certificate).toBe(renewed.certificate)
})

test('a server has a certificate for its addresses and names, and the names directly below', async () => {
  const authority = await loadAuthority(at('authority.pem'))
  const hosts = ['db.example.com', '127.0.0.1', '::1', '127.0.0.1']
  const made = read((await issue(authority, hosts, 90, Date.now())).certificate)
  expect(made.ca).toBe(false)
  expect(made.checkHost('db.example.com')).toBeDefined()
  expect(made.checkHost('abcdefghijklmnopqrst.db.example.com')).toBeDefined()
  expect(made.checkIP('127.0.0.1')).toBeDefined()
  expect(made.checkIP('::1')).toBeDefined()
  expect(made.checkHost('example.com')).toBeUndefined()
  expect(made.checkHost('a.b.db.example.com')).toBeUndefined()
  expect(made.checkIP('127.0.0.2')).toBeUndefined()
  expect(made.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
})

test('a certificate is replaced long before it ends, and not sooner', async () => {
  let now = Date.now()
  const encryption = await createEncryption({
    file: at('authority.pem'),
    hosts: ['localhost'],
    log: silentLog,
    now: () => now,
  })
  const first = encryption.context()
  now += 40 * dayMs
  await encryption.look()
  expect(encryption.context()).toBe(first)
  now += 10 * dayMs
  await encryption.look()
  expect(encryption.context()).not.toBe(first)
  encryption.close()
})

test("an operator's certificate holds until its files change, and while what they have become does not fit", async () => {
  const authority = await loadAuthority(at('authority.pem'))
  const put = async (name: 'one' | 'two') => {
    const pair = await issue(authority, [`${name}.example.com`], 90, Date.now())
    return { ...pair, chain: pair.certificate + authority.certificate }
  }
  const [one, two] = [await put('one'), await put('two')]
  const own = { certificate: at('server.crt'), key: at('server.key') }
  const begin = () => createEncryption({ file: at('unused.pem'), hosts: [], own, log: silentLog })
  await expect(begin()).rejects.toThrow('ENOENT')
  await writeFile(own.certificate, one.chain)
  await writeFile(own.key, two.key)
  await expect(begin()).rejects.toThrow(/mismatch/)
  await writeFile(own.key, one.key)
  const encryption = await begin()
  expect(encryption.authority()).toBe(authority.certificate)
  const first = encryption.context()
  await encryption.look()
  expect(encryption.context()).toBe(first)
  // Renewed without its authority behind it, and the certificate before its key.
  await writeFile(own.certificate, two.certificate)
  await encryption.look()
  expect(encryption.context()).toBe(first)
  await writeFile(own.key, two.key)
  await encryption.look()
  expect(encryption.context()).not.toBe(first)
  expect(encryption.authority()).toBeNull()
  await expect(stat(at('unused.pem'))).rejects.toThrow('ENOENT')
  encryption.close()
})
