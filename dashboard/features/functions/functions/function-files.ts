import type { FunctionFile } from '#contract/functions/functions'

/** Bytes of one file that are taken; a deployment has 20 MB at most. */
export const largestFile = 20 * 1024 * 1024

/** Files from the reader's machine: what is UTF-8 as text, the rest as its bytes. @throws Error when one is too large */
export async function readFiles(files: Iterable<File>): Promise<FunctionFile[]> {
  return Promise.all(
    [...files].map(async (file): Promise<FunctionFile> => {
      if (file.size > largestFile) throw new Error(`${file.name} is larger than 20 MB`)
      const bytes = new Uint8Array(await file.arrayBuffer())
      const path = file.webkitRelativePath || file.name
      try {
        const content = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
        return { path, content, encoding: 'utf8' }
      } catch {
        return { path, content: base64Of(bytes), encoding: 'base64' }
      }
    }),
  )
}

function base64Of(bytes: Uint8Array): string {
  let text = ''
  // In parts: a function takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}

/** Files of before, with new ones beside them or in their place. */
export function withFiles(
  before: readonly FunctionFile[],
  added: readonly FunctionFile[],
): FunctionFile[] {
  const paths = new Set(added.map(({ path }) => path))
  return [...before.filter(({ path }) => !paths.has(path)), ...added]
}

const slug = /^[A-Za-z][A-Za-z0-9_-]*$/

/** Why a path cannot be that of a file; the server judges it again. */
export const FunctionPath = {
  problem(path: string): string | undefined {
    if (path === '') return 'A file needs a name'
    const parts = path.split('/')
    const odd = parts.some((part) => part === '' || part === '.' || part === '..')
    return odd || /[\\\p{Cc}]/u.test(path) ? 'This is not a path inside the function' : undefined
  },
}

/** Why a function cannot have this name; undefined when it can. */
export function slugProblem(name: string, taken: readonly string[]): string | undefined {
  if (name === '') return 'A function needs a name'
  if (!slug.test(name)) return 'Start with a letter, then use letters, digits, _ and -'
  return taken.includes(name) ? 'A function with this name already exists' : undefined
}

export type ChangedFile = {
  path: string
  change: 'added' | 'deleted' | 'changed'
  before: string
  after: string
  /** Not text: that it differs is all that can be said. */
  binary: boolean
}

/** The files in which two versions differ, in the order of their paths. */
export function changedFiles(
  before: readonly FunctionFile[],
  after: readonly FunctionFile[],
): ChangedFile[] {
  const [old, now] = [before, after].map((files) => new Map(files.map((file) => [file.path, file])))
  const paths = [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])].sort()
  return paths.flatMap((path) => {
    const [was, is] = [old?.get(path), now?.get(path)]
    if (was?.content === is?.content && was?.encoding === is?.encoding) return []
    const change = !was ? 'added' : !is ? 'deleted' : 'changed'
    const binary = [was, is].some((file) => file?.encoding === 'base64')
    return [{ path, change, before: was?.content ?? '', after: is?.content ?? '', binary }]
  })
}

type Secret = { name: string; value: string }

/** The secrets that a text of `NAME=value` lines holds; quotes around a value and lines that begin with # do not count. */
export function secretsIn(text: string): { secrets: Secret[] } | { problem: string } {
  const secrets: Secret[] = []
  for (const [at, line] of text.split('\n').entries()) {
    const trimmed = line.trim()
    if (trimmed === '' || trimmed.startsWith('#')) continue
    const [, name, value = ''] = /^(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/.exec(trimmed) ?? []
    if (name === undefined) return { problem: `Line ${at + 1} is not NAME=value` }
    if (name.startsWith('SUPABASE_')) {
      return { problem: `Line ${at + 1}: names that begin with SUPABASE_ are the platform's` }
    }
    secrets.push({ name, value: value.replace(/^(["'])(.*)\1$/, '$2') })
  }
  return secrets.length > 0 ? { secrets } : { problem: 'There is no secret in this text' }
}
