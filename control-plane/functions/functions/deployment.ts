import { createHash } from 'node:crypto'
import { largestFunction } from '#contract/v1/v1-functions'
import { ApiError } from '#kit/errors'
import type { StoredFile } from './store.ts'

export type Deployment = {
  entrypoint_path: string
  import_map_path?: string | null | undefined
  files: readonly StoredFile[]
}

/** Judges a deployment before anything of it is kept. @throws ApiError invalid_input, body_too_large */
export function checkDeployment({ entrypoint_path, import_map_path, files }: Deployment): void {
  const paths = new Set(files.map(({ path }) => path))
  if (paths.size !== files.length) {
    throw new ApiError('invalid_input', 'file: two files have the same path')
  }
  for (const path of paths) {
    const parts = path.split('/')
    const inFile = parts.some((_, at) => at > 0 && paths.has(parts.slice(0, at).join('/')))
    if (inFile) throw new ApiError('invalid_input', `file: ${path} is below another file`)
  }
  if (!paths.has(entrypoint_path)) {
    throw new ApiError('invalid_input', `entrypoint_path: there is no file ${entrypoint_path}`)
  }
  if (import_map_path && !paths.has(import_map_path)) {
    throw new ApiError('invalid_input', `import_map_path: there is no file ${import_map_path}`)
  }
  if (bytesOf(files) > largestFunction) {
    throw new ApiError('body_too_large', 'Functions can be up to 20 MB')
  }
}

export const bytesOf = (files: readonly StoredFile[]): number =>
  files.reduce((sum, { content }) => sum + content.length, 0)

/** SHA-256 of names and contents, in hex; the order of the files does not matter. */
export function digestOf(files: readonly StoredFile[]): string {
  const hash = createHash('sha256')
  for (const { path, content } of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    hash.update(`${Buffer.byteLength(path)} ${path} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}
