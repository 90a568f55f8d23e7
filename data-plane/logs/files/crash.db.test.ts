import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { rounds } from '#kit/testing/rounds'
import { doubles, everything } from '../../testing/logs/all-ids.ts'
import { logsRef } from '../../testing/logs/conformance.ts'
import { bundle, engineProgram } from '../../testing/logs/engine-program.ts'
import { event } from '../../testing/logs/events.ts'
import { openStore } from '../../testing/logs/store.ts'
import type { ChildJob } from '../../testing/logs/store-child.ts'

let child: string
let program: string
beforeAll(async () => {
  child = await bundle('data-plane/testing/logs/store-child.ts', 'store-child')
  ;({ program } = await engineProgram())
})

const start = (job: Omit<ChildJob, 'program'>, env: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn(process.execPath, [child, JSON.stringify({ ...job, program })], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })

async function filesOf(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  return names
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('.writers'))
    .map((entry) => join(entry.parentPath, entry.name))
}

test('a writer that is killed loses nothing that it had written, and half a line is passed over', async () => {
  const { folder, store, close } = await openStore()
  onTestFinished(close)
  const ref = logsRef()
  const written = new Set<string>()
  const all = rounds(4, 20)
  for (let round = 0; round < all; round += 1) {
    const prefix = `r${round}-`
    const writer = start({ folder, ref, job: 'write', prefix, segmentBytes: 20_000 })
    let output = ''
    writer.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.split('\n').length > 15 + round * 7) writer.kill('SIGKILL')
    })
    const [, signal] = (await once(writer, 'close')) as [number | null, string | null]
    expect(signal).toBe('SIGKILL')
    const last = Number(output.split('\n').at(-2))
    for (let at = 0; at < last; at += 1) written.add(`${prefix}${at}`)
    if (round % 2 === 0) continue
    // Half of a line more, as a write that was cut off leaves it.
    const [active] = (await filesOf(folder)).filter((path) => /[0-9a-z]-\d+\.jsonl$/.test(path))
    if (active) {
      await writeFile(active, '["torn",1773', { flag: 'a' })
    }
  }
  const { ids } = await everything(store, ref)
  expect([...written].filter((id) => !ids.includes(id))).toEqual([])
  expect(doubles(ids)).toEqual([])
  expect(ids).not.toContain('torn')

  // The eldest that lives packs what they left: the same entries, and no lines.
  await store.tidyAll()
  expect((await filesOf(folder)).filter((path) => !path.endsWith('.parquet'))).toEqual([])
  expect((await everything(store, ref)).ids).toEqual(ids)
})

test('a file that was cut off anywhere has all lines before that', async () => {
  const { folder, store, close } = await openStore()
  onTestFinished(close)
  const ref = logsRef()
  store.append(ref, [event('a', 1), event('b', 2)])
  await store.flush()
  const [path = ''] = await filesOf(folder)
  const { size } = await stat(path)
  await truncate(path, size - 5)
  expect((await everything(store, ref)).ids).toEqual(['a'])
  await truncate(path, 20)
  expect((await everything(store, ref)).ids).toEqual([])
})

const places = ['made', 'counted', 'written-down', 'named', 'removing', 'removed']
/** So many entries are counted when they are packed. */
const each = 450
test.each(places)(
  'packing that is ended at %s doubles nothing and loses nothing',
  async (place) => {
    const { folder, store, again, close } = await openStore({ limits: { segmentBytes: 2000 } })
    onTestFinished(close)
    const ref = logsRef()
    for (let at = 0; at < 10; at += 1) {
      store.append(
        ref,
        Array.from({ length: each }, (_, n) => event(`e${at}-${n}`, at + n / 1000)),
      )
      await store.flush()
    }
    // The process that packs is to be the eldest; one that only reads is not registered.
    await store.close()
    const reader = again({ limits: { roundMs: 3_600_000 } })
    await reader.ready
    const failpoints = await mkdtemp(join(tmpdir(), 'plinth-failpoints-'))
    onTestFinished(() => rm(failpoints, { recursive: true }))
    const whole = Array.from({ length: 10 }, (_, at) =>
      Array.from({ length: each }, (_, n) => `e${at}-${n}`),
    )
      .flat()
      .toReversed()
    await writeFile(join(failpoints, `logs.pack.${place}`), '')
    const packer = start({ folder, ref, job: 'pack' }, { PLINTH_FAILPOINTS: failpoints })
    expect(await once(packer, 'exit')).toEqual([null, 'SIGKILL'])
    // Nobody has looked after the files meanwhile: this is what was left.
    const left = await filesOf(folder)
    expect(left.filter((path) => !/\.(parquet|counts)$/.test(path))).not.toEqual([])
    expect((await everything(reader, ref)).ids).toEqual(whole)
    await reader.tidyAll()
    expect((await everything(reader, ref)).ids).toEqual(whole)
    expect((await filesOf(folder)).map((path) => extname(path)).toSorted()).toEqual([
      '.counts',
      '.parquet',
    ])
  },
  60_000,
)

test('a write that fails is cut back to whole lines, and what is missing is told', async () => {
  const { folder, store, close } = await openStore()
  onTestFinished(close)
  const ref = logsRef()
  const job: ChildJob = { folder, program, ref, job: 'write', all: 4000, atOnce: 50 }
  // Files of 200 blocks of 512 bytes: what comes then is refused in the middle of a write.
  const limited = ['-c', 'ulimit -f 200; exec "$@"', 'sh', process.execPath, child]
  const writer = spawn('/bin/sh', [...limited, JSON.stringify(job)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  expect(await once(writer, 'exit')).toEqual([0, null])

  const { ids, lost } = await everything(store, ref)
  expect(doubles(ids)).toEqual([])
  const count = lost.reduce((sum, one) => sum + one.count, 0)
  expect(count).toBeGreaterThan(0)
  expect(ids.length + count).toBe(4000)
  expect(new Set(lost.map(({ reason }) => reason))).toEqual(new Set(['disk']))
  for (const path of await filesOf(folder)) expect((await readFile(path, 'utf8')).at(-1)).toBe('\n')
})
