import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, lstat, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runsAsRoot } from '#kit/postgres/os-user'
import { findProcess, waitUntil } from '#kit/postgres/processes'
import { preparePostgres } from '#kit/postgres/runtime'
import type { DatabaseAddress, Provider } from '../provider.ts'
import { stopAllServers } from './stop-all.ts'
import { admin, ask, specOf, testRef } from '../testing/conformance-project.ts'
import { localHarness, type LocalHarness } from '../testing/local.ts'

/** Whoever has broken out of a server runs what they like as its user, and wants it to outlive the server. */
let harness: LocalHarness
let provider: Provider
let shared: string
beforeAll(async () => {
  harness = await localHarness({ spares: 0 })
  // A server with a view of its own finds no such place (bounds/containment.db.test.ts).
  harness.options.ownView = false
  provider = await harness.reopen()
  // A folder that everybody may write to, deep in one that everybody may read.
  const outer = await mkdtemp(join(tmpdir(), 'plinth-shared-'))
  await chmod(outer, 0o755)
  shared = join(outer, 'everybody')
  await mkdir(shared)
  await chmod(shared, 0o777)
})
afterAll(async () => {
  await harness.close()
  await rm(dirname(shared), { recursive: true, force: true })
})

const root = runsAsRoot()
/** Other runs on this machine have projects of the same names. */
const run = randomBytes(4).toString('hex')
const uidOf = async (ref: string) => (await stat(join(harness.folder(ref), 'data'))).uid
const isThere = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  )

/** Runs a shell script as the user of the server. */
async function breakOut(at: DatabaseAddress, ref: string, name: string, script: string) {
  const file = join(tmpdir(), `plinth-${ref}-${name}.sh`)
  await writeFile(file, script, { mode: 0o755 })
  try {
    await ask(at, admin(ref), `copy (select 1) to program 'sh ${file}'`)
  } finally {
    await rm(file)
  }
}
const pidIn = async (file: string) => {
  let pid = NaN
  await waitUntil(async () => {
    pid = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10)
    return pid > 0
  }, 10_000)
  return pid
}

/** A process in a session of its own that ignores every signal it can, and files wherever everybody may make them. */
async function settleIn(at: DatabaseAddress, ref: string) {
  const places = ['/tmp', '/var/tmp', ...(process.platform === 'linux' ? ['/dev/shm'] : [])]
  const files = [...places, shared].map((place) => join(place, `stay-${ref}-${run}`))
  const hidden = `/tmp/hidden-${ref}-${run}`
  const pid = join('/tmp', `stay-${ref}-${run}`)
  await breakOut(
    at,
    ref,
    'settle',
    `cat >/dev/null
     cd /
     mkdir -p ${hidden}/deep; echo x >${hidden}/deep/file; ln -s /etc/passwd ${hidden}/link; chmod 0 ${hidden}/deep ${hidden}
     for file in ${files.join(' ')}; do : >$file; done
     setsid sh -c 'trap "" HUP INT TERM QUIT; echo $$ >${pid}; while :; do sleep 1; done' >/dev/null 2>&1 &`,
  )
  return { pid: await pidIn(pid), files: [...files, hidden] }
}

test.runIf(root).each(['stop', 'destroy'] as const)(
  'what a break-out left neither lives nor lies anywhere after %s',
  async (how) => {
    const ref = testRef()
    const at = await provider.create(specOf(ref))
    const before = await stat('/etc/passwd')
    const { pid, files } = await settleIn(at, ref)
    expect((await stat(files[0] ?? '')).uid).toBe(await uidOf(ref))
    await provider[how](ref)
    expect(await findProcess(pid)).toBeUndefined()
    for (const file of files) expect(await isThere(file), file).toBe(false)
    expect((await stat('/etc/passwd')).mode).toBe(before.mode)
    await provider.destroy(ref)
  },
)

test.runIf(root)('a process of a break-out does not outlive a restart', async () => {
  const ref = testRef()
  const { pid } = await settleIn(await provider.create(specOf(ref)), ref)
  await provider.restart(ref)
  expect(await findProcess(pid)).toBeUndefined()
  await provider.destroy(ref)
})

test.runIf(root)('nothing of a break-out outlives the end of the platform', async () => {
  const ref = testRef()
  const { pid, files } = await settleIn(await provider.create(specOf(ref)), ref)
  await stopAllServers(await preparePostgres(harness.options.home), harness.options)
  expect(await findProcess(pid)).toBeUndefined()
  await provider.destroy(ref)
  for (const file of files) expect(await isThere(file), file).toBe(false)
})

test.runIf(root)('a process that is always another one is ended too', async () => {
  const ref = testRef()
  const at = await provider.create(specOf(ref))
  const hop = `/tmp/hop-${ref}-${run}`
  const seen = `${hop}.seen`
  await breakOut(
    at,
    ref,
    'hop',
    `cat >/dev/null
     echo 'echo $$ >${seen}; test $1 -gt 5000 || sh ${hop} $(($1 + 1)) >/dev/null 2>&1 &' >${hop}
     setsid sh ${hop} 1 >/dev/null 2>&1 &`,
  )
  const first = await pidIn(seen)
  expect(await waitUntil(async () => (await pidIn(seen)) !== first, 10_000)).toBe(true)
  await provider.stop(ref)
  // Were it there still, it would make its file again at once.
  await writeFile(seen, 'none')
  const after = await stat(seen)
  await provider.start(ref)
  expect((await stat(seen)).mtimeMs).toBe(after.mtimeMs)
  expect(await readFile(seen, 'utf8')).toBe('none')
  await provider.destroy(ref)
  await rm(seen, { force: true })
})

test.runIf(root)('what stays of a server that was killed in memory goes with it', async () => {
  const ref = testRef()
  await provider.create(specOf(ref))
  const uid = String(await uidOf(ref))
  const segments = async () =>
    (await readFile('/proc/sysvipc/shm', 'utf8')).split('\n').filter((line) => {
      return line.trim().split(/\s+/).includes(uid)
    })
  expect(await segments()).not.toEqual([])
  await harness.killServer(ref)
  await provider.destroy(ref)
  expect(await segments()).toEqual([])
})

test.runIf(root)(
  'a user is given to one project only, also after a delete and a restart',
  async () => {
    const given: number[] = []
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 2; i++) {
        const ref = testRef()
        await provider.create(specOf(ref))
        given.push(await uidOf(ref))
        await provider.destroy(ref)
      }
      provider = await harness.reopen()
    }
    expect(new Set(given).size).toBe(given.length)
    expect(given).toEqual(given.toSorted((a, b) => a - b))
  },
)

test.runIf(root)('two installations on a machine share no user', async () => {
  const other = await localHarness({ spares: 0 })
  const ref = testRef()
  await Promise.all([provider.create(specOf(ref)), other.provider.create(specOf(ref))])
  const theirs = (await stat(join(other.folder(ref), 'data'))).uid
  expect(Math.abs(theirs - (await uidOf(ref)))).toBeGreaterThan(1000)
  await provider.destroy(ref)
  await other.close()
})

test.runIf(!root)(
  'without root a project shares the user of the platform, and only its own end',
  async () => {
    const ref = testRef()
    const at = await provider.create(specOf(ref))
    expect(await uidOf(ref)).toBe(process.getuid?.())
    const { pid, files } = await settleIn(at, ref)
    await provider.stop(ref)
    expect(await findProcess(process.pid)).toBeDefined()
    if (await findProcess(pid)) process.kill(pid, 'SIGKILL')
    await promisify(execFile)('chmod', ['-R', 'u+rwX', ...files])
    for (const file of files) await rm(file, { recursive: true })
    await provider.destroy(ref)
  },
)
