import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '#kit/root'

/** One file of the repository: its path from the root and its text. */
export type Source = { path: string; text: string }

export const rooms = [
  'contract',
  'kit',
  'control-plane',
  'data-plane',
  'compute',
  'dashboard',
  'start',
  'journeys',
  'checks',
  'bench',
  'docs',
] as const

const isCode = (path: string) => /\.(tsx?|mjs|css|sql)$/.test(path) && !path.endsWith('.gen.ts')

/** Every source file of the rooms, generated ones apart. */
export function readSources(folders: readonly string[] = rooms): Source[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => join(folder, file))
      .filter(isCode)
      .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
  )
}

export const isTest = (path: string) => /\.test\.tsx?$/.test(path)
/** Code that exists for tests only: the tests, and what they share, which lies in the folder `testing` of a room. */
export const isTestSupport = (path: string) =>
  isTest(path) || /^(journeys|checks|bench)\//.test(path) || /^[\w-]+\/testing\//.test(path)
