import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '#kit/log'
import { runsAsRoot, type OsUser } from '#kit/postgres/os-user'
import { logsRef } from '../../testing/logs/conformance.ts'
import { bundle, engineProgram } from '../../testing/logs/engine-program.ts'
import { event } from '../../testing/logs/events.ts'
import { openStore } from '../../testing/logs/store.ts'
import type { Files, Row } from '../engine/protocol.ts'
import { defaultLimits } from './limits.ts'
import { createProjectFolders } from './project-folders.ts'
import { startEngine, type Engine } from './start-engine.ts'

/** Two projects that have one packed file and one of lines each. */
const [mine, other] = [logsRef(), logsRef()]
let opened: Awaited<ReturnType<typeof openStore>>
let own: Files
let others: string[]
const secret = 'what the other project wrote'

beforeAll(async () => {
  opened = await openStore()
  const { store, again } = opened
  for (const ref of [mine, other]) store.append(ref, [event('packed', 1, { message: secret })])
  await store.close()
  const second = again()
  await second.tidyAll()
  for (const ref of [mine, other]) second.append(ref, [event('line', 2, { message: secret })])
  await second.flush()
  const files = async (ref: string) => {
    const [day = ''] = await readdir(join(opened.folder, ref))
    return (await readdir(join(opened.folder, ref, day))).map((name) => join(day, name))
  }
  const paths = await files(mine)
  own = {
    lines: paths.filter((path) => path.endsWith('.jsonl')),
    packed: paths.filter((path) => path.endsWith('.parquet')),
  }
  others = (await files(other)).map((path) => join(opened.folder, other, path))
  expect([own.lines.length, own.packed.length, others.length]).toEqual([1, 1, 2])
})
afterAll(() => opened.close())

async function startFor(ref: string, program?: string, user?: OsUser): Promise<Engine> {
  return startEngine({
    engine: program === undefined ? await engineProgram() : { program },
    folder: join(opened.folder, ref),
    user,
    role: 'reader',
    memoryMb: 128,
    limits: defaultLimits,
    log: silentLog,
  })
}
async function run(engine: Engine, files: Files, ...sql: string[]): Promise<Row[][]> {
  const statements = sql.map((text) => ({ files, sql: text, parameters: [] }))
  const answer = await engine.run({ kind: 'ask', statements, maxBytes: 1e6 }, 10_000)
  if (!('results' in answer)) throw new Error('no results')
  return answer.results
}

/** As our own user, who may read everything: it is this wall alone that refuses. */
describe('the list of files of a question', () => {
  let engine: Engine
  beforeAll(async () => {
    engine = await startFor(mine)
  })
  afterAll(() => engine.end())
  const quoted = (path: string) => `'${path}'`

  test('lets its own files be read', async () => {
    const [found] = await run(engine, own, 'select id from entries order by id')
    expect(found).toEqual([['line'], ['packed']])
  })

  const attacks: [string, () => string][] = [
    ['a file of another project', () => `from read_text(${quoted(others[0] ?? '')})`],
    [
      'its columns',
      () => `from read_parquet(${quoted(others.find((p) => p.endsWith('parquet')) ?? '')})`,
    ],
    [
      'its lines',
      () => `from read_ndjson_objects(${quoted(others.find((p) => p.endsWith('jsonl')) ?? '')})`,
    ],
    [
      'a way round',
      () =>
        `from read_text('${other}/../../${mine}/../${others[0]?.split('/').slice(-3).join('/')}')`,
    ],
    [
      'a way up',
      () => `from read_text('../${other}/${others[0]?.split('/').slice(-2).join('/')}')`,
    ],
    ['a pattern', () => `from read_text('../*/*/*')`],
    ['what lies beside its own', () => `from glob('*')`],
    ['a file of the system', () => `from read_csv('/etc/passwd')`],
    ['a program', () => `copy (select 1) to '/tmp/plinth-logs-attack'`],
    ['its own files, to write', () => `copy (select 1) to ${quoted(own.lines[0] ?? '')}`],
    ['another database', () => `attach '/tmp/plinth-logs-attack.db'`],
    ['an extension', () => 'install httpfs'],
    ['a loaded extension', () => `load 'httpfs'`],
    ['the network', () => `from read_csv('http://127.0.0.1:1/')`],
    ['the lock', () => 'set lock_configuration = false'],
    ['the list', () => `set allowed_directories = ['/']`],
    ['access', () => 'set enable_external_access = true'],
    ['memory', () => `set memory_limit = '10GB'`],
    ['a secret', () => `create secret (type s3, key_id 'x', secret 'y')`],
    ['the environment', () => `select getenv('PATH')`],
  ]
  test.each(attacks)('refuses %s', async (_name, sql) => {
    const tried = run(engine, { lines: [], packed: own.packed }, sql())
    await expect(tried).rejects.toThrow(
      /Permission|Catalog|Configuration|configuration|Invalid|Binder/,
    )
  })

  test('of another question are not those of this one', async () => {
    await expect(
      run(engine, { lines: own.lines, packed: [] }, `from read_parquet('${own.packed[0]}')`),
    ).rejects.toThrow(/Permission/)
  })

  test('nothing is left of a question for the next', async () => {
    await run(engine, own, 'create table left_behind as select 1')
    await expect(run(engine, own, 'from left_behind')).rejects.toThrow(/does not exist/)
  })
})

/** By the system's own calls, as if the engine and its list were not there. */
describe.runIf(runsAsRoot())('the user of a reader', () => {
  let engine: Engine
  let ours: string
  beforeAll(async () => {
    ours = await mkdtemp(join(tmpdir(), 'plinth-ours-'))
    await writeFile(join(ours, 'secret'), secret, { mode: 0o600 })
    const program = await bundle('data-plane/testing/logs/nosy-engine.ts', 'nosy-engine')
    const folders = createProjectFolders(opened.folder)
    engine = await startFor(mine, program, await folders.reader(mine))
  })
  afterAll(async () => {
    await engine.end()
    await rm(ours, { recursive: true })
  })
  const tried = async (words: string): Promise<string> =>
    String((await run(engine, own, words))[0]?.[0]?.[0])

  test('reads its own project', async () => {
    expect(await tried(`read ${own.lines[0]}`)).toContain(secret)
  })
  test('has no setting of ours', async () => {
    expect(
      (await tried('environment'))
        .split(' ')
        .filter((name) => !/^(NODE_CHANNEL|PWD|OLDPWD|SHLVL|_$)/.test(name)),
    ).toEqual([])
  })
  test.each([
    ['another project', () => `read ${others[0]}`],
    [
      'another project by the way up',
      () => `read ../${other}/${others[0]?.split('/').slice(-2).join('/')}`,
    ],
    ['files of ours', () => `read ${join(ours, 'secret')}`],
    ['the lines of its own, to write', () => `write ${own.lines[0]}`],
    ['its own folder, to write', () => 'write new'],
    ['a place where everybody may write', () => `write ${join(tmpdir(), 'plinth-logs-nosy')}`],
    ['to be who it was', () => 'climb'],
  ])('is refused %s', async (_name, words) => {
    expect(await tried(words())).toMatch(/^refused: E(ACCES|PERM|FBIG)/)
    await rm(join(tmpdir(), 'plinth-logs-nosy'), { force: true })
  })
})
