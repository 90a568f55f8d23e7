import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { root } from '#kit/root'
import { createOrganization, createProject, signUp, type Account } from '../testing/client.ts'
import { atEnd } from '../testing/ends.ts'
import { newPerson } from '../testing/people.ts'
import type { Platform } from '../testing/platform.ts'
import { ownPlatform } from '../testing/shared-platform.ts'

/** Blocks that the documents mark with `sh run` are run as they stand, by a shell in a folder of their own. */
let platform: Platform
let ada: Account
/** Of a project of the local administrator's, who the commands act as. */
let ref = ''
let folder: string
const internalToken = 'an-internal-token-of-the-documents-test'

type Block = { file: string; text: string }

async function markedBlocks(): Promise<Block[]> {
  const files = (await readdir(join(root, 'docs'))).filter((file) => file.endsWith('.md'))
  const blocks = await Promise.all(
    files.map(async (file) => {
      const page = await readFile(join(root, 'docs', file), 'utf8')
      return [...page.matchAll(/^```sh run\n([^]*?)^```/gm)].map(([, text = '']) => ({
        file,
        text,
      }))
    }),
  )
  return blocks.flat()
}

beforeAll(async () => {
  platform = await ownPlatform({ environment: { PLINTH_INTERNAL_TOKEN: internalToken } })
  ada = await newPerson(platform)
  await createProject(ada, await createOrganization(ada, 'Shelves'), 'Shelves')
  // Whom the documents make an owner.
  await signUp(platform.url, 'you@example.com')
  folder = await mkdtemp(join(tmpdir(), 'plinth-commands-'))
  atEnd(() => rm(folder, { recursive: true }))
  // What npx does in a checkout, from any folder.
  const npx = `#!/bin/sh\n[ "$1" = plinth ] || exit 9\nshift\nexec "${process.execPath}" "${root}/start/plinth.mjs" "$@"\n`
  await writeFile(join(folder, 'npx'), npx)
  await chmod(join(folder, 'npx'), 0o755)
  const made = await run({ file: '', text: 'npx plinth projects create Own --json' })
  ref = (JSON.parse(made) as { ref: string }).ref
})

async function run({ file, text }: Block): Promise<string> {
  const commands = text.replace(/\bREF\b/g, ref).replaceAll('http://localhost:8000', platform.url)
  const environment = {
    PATH: `${folder}:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    PLINTH_HOME: platform.home,
    PLINTH_INTERNAL_TOKEN: internalToken,
    PLINTH_URL: platform.url,
    // Elsewhere the commands are those of the machine itself.
    ...(file === 'api.md' ? { PLINTH_ACCESS_TOKEN: ada.token } : {}),
  }
  const options = { cwd: folder, env: environment }
  const { stdout } = await promisify(execFile)('sh', ['-ec', commands], options)
  return stdout
}

test('the marked blocks of the documents run', async () => {
  const blocks = await markedBlocks()
  const said: Record<string, string> = {}
  for (const block of blocks) said[block.file] = `${said[block.file] ?? ''}${await run(block)}`
  expect(Object.keys(said).toSorted()).toEqual(['api.md', 'operating.md'])
  const [project] = JSON.parse(said['api.md'] ?? '[]') as { ref: string }[]
  expect(project?.ref).toMatch(/^[a-z]{20}$/)
  expect(said['operating.md']).toContain('"service_role"')
  expect(await readFile(join(folder, 'types.ts'), 'utf8')).toContain('export type Database')
})

test('a command that fails is noticed', async () => {
  await expect(run({ file: 'a.md', text: 'npx plinth fly\nnpx plinth help\n' })).rejects.toThrow(
    'unknown command "fly"',
  )
})
