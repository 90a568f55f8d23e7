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
