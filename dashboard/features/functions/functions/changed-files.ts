import type { FunctionFile } from '#contract/functions/functions'

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
