import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '#kit/testing/free-port'
import { homeProblem, preflight, spaceProblem } from './preflight.ts'

const key = 'a1'.repeat(32)
const good = { masterKey: key, host: '127.0.0.1', port: 0, projectPort: 0 }

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-preflight-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('a home is made with what is missing above it', () => {
  const home = join(newFolder(), 'some', 'where')
  expect(homeProblem(home)).toBeUndefined()
  expect(statSync(home).isDirectory()).toBe(true)
  expect(homeProblem(home)).toBeUndefined()
})

test('a file is no home, nor is what is below one', () => {
  const file = join(newFolder(), 'file')
  writeFileSync(file, '')
  expect(homeProblem(file)).toBe(`PLINTH_HOME: ${file} is a file, not a folder`)
  expect(homeProblem(join(file, 'home'))).toBe(`PLINTH_HOME: ${join(file, 'home')} is below a file`)
})

// File systems of Linux that refuse folders; one of them as if it had not been asked to make any.
test.runIf(process.platform === 'linux').each([
  ['/proc/plinth', 'ENOENT'],
  ['/proc/plinth/home', 'ENOENT'],
  ['/sys/plinth', process.getuid?.() === 0 ? 'EPERM' : 'EACCES'],
])('%s cannot be a home, which is said at once', (home, code) => {
  expect(homeProblem(home)).toMatch(
    new RegExp(`^PLINTH_HOME: ${home} cannot be made \\((?:${code}|EROFS)\\)$`),
  )
})

test('a disk without room for a new home, or for the start of one that is there', () => {
  const home = newFolder()
  const megabyte = 1024 ** 2
  expect(spaceProblem(home)).toBeUndefined()
  expect(spaceProblem(home, 400 * megabyte)).toBeUndefined()
  expect(spaceProblem(home, 31.9 * megabyte)).toBe(
    `PLINTH_HOME: the disk of ${home} has 31 MB free, and a new home needs 400 MB`,
  )
  mkdirSync(join(home, 'clusters/platform'), { recursive: true })
  expect(spaceProblem(home, 31 * megabyte)).toBeUndefined()
  expect(spaceProblem(home, 0)).toBe(
    `PLINTH_HOME: the disk of ${home} has 0 MB free. Make space on it and start again`,
  )
  // Its reserve is space enough.
  writeFileSync(join(home, 'clusters/platform/ballast'), '')
  expect(spaceProblem(home, 0)).toBeUndefined()
})

test('good settings have no problem', async () => {
  expect(await preflight(good)).toEqual([])
  expect(await preflight({ ...good, masterKey: undefined })).toEqual([])
})

test.each([
  ['PLINTH_MASTER_KEY must hold 64 hexadecimal digits', { masterKey: 'abc' }],
  ['PLINTH_MASTER_KEY is a well-known value', { masterKey: '0'.repeat(64) }],
  ['PORT and PROJECT_PORT are both 39001', { port: 39_001, projectPort: 39_001 }],
  ['HOST: 203.0.113.7 is not an address of this machine', { host: '203.0.113.7' }],
  ['HOST: cannot resolve the name nonsense.invalid', { host: 'nonsense.invalid' }],
])('%s', async (line, wrong) => {
  expect(await preflight({ ...good, ...wrong })).toEqual([expect.stringContaining(line)])
})

test('each port that is taken is named by its setting, and all that is wrong is said', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const address = taken.address()
  const port = typeof address === 'object' && address ? address.port : 0
  expect(await preflight({ ...good, port })).toEqual([
    `port ${port} is in use; end what listens there or set PORT to another port`,
  ])
  expect(await preflight({ ...good, masterKey: '', projectPort: port })).toEqual([
    expect.stringContaining('PLINTH_MASTER_KEY'),
    `port ${port} is in use; end what listens there or set PROJECT_PORT to another port`,
  ])
  taken.close()
})

test('ports of HTTPS are looked at like the others, and are apart from them', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => {
    taken.close()
  })
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const inUse = (name: string) =>
    `port ${port} is in use; end what listens there or set ${name} to another port`
  expect(await preflight({ ...good, https: { port } })).toEqual([inUse('PLINTH_HTTPS_PORT')])
  const free = await freePort()
  const other = await freePort()
  expect(await preflight({ ...good, https: { port: free, challengePort: port } })).toEqual([
    inUse('PLINTH_HTTP_CHALLENGE_PORT'),
  ])
  expect(
    await preflight({ ...good, port: free, https: { port: free, challengePort: other } }),
  ).toEqual([`PORT and PLINTH_HTTPS_PORT are both ${free}; set one of them to another port`])
  expect(await preflight({ ...good, https: { port: free, challengePort: free } })).toEqual([
    `PLINTH_HTTPS_PORT and PLINTH_HTTP_CHALLENGE_PORT are both ${free}; set one of them to another port`,
  ])
})
