import { pipeline } from 'node:stream/promises'
import { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { commitPlace } from '#contract/projects/git'
import { RefusedFetch, type SafeFetch } from '#kit/network/safe-fetch'

/** A file of the folder of a repository: its path below that, with slashes. */
export type RepositoryFile = { path: string; content: Buffer }

/** An archive that cannot be had or read. The message is fit for whoever set the repository up. */
export class ArchiveProblem extends Error {}

export const mostFiles = 5000
export const mostBytes = 100 * 1024 * 1024

type Place = { archiveUrl: string; token: string | null; commit: string }

/** How often a server that does not answer, or has a fault, is asked, and how long after the time before. */
const attempts = 3
const pauseMs = 1000

/** The bytes of the archive of a commit. @throws ArchiveProblem */
export async function fetchArchive(fetch: SafeFetch, place: Place): Promise<Buffer> {
  const { archiveUrl, token, commit } = place
  const headers = token === null ? {} : { authorization: `Bearer ${token}` }
  for (let attempt = 1; ; attempt += 1) {
    const problem = (reason: string) =>
      new ArchiveProblem(`The archive could not be fetched: ${reason}`)
    try {
      const response = await fetch(archiveUrl.replaceAll(commitPlace, commit), { headers })
      if (response.ok) return Buffer.from(await response.arrayBuffer())
      if (response.status < 500 || attempt === attempts)
        throw problem(`the server answered ${response.status}`)
    } catch (error) {
      if (error instanceof ArchiveProblem) throw error
      const reason = error instanceof Error ? error.message : String(error)
      if (error instanceof RefusedFetch || attempt === attempts) throw problem(reason)
    }
    await delay(pauseMs)
  }
}

/** A file that lies in `folder` of the repository, which archives put below a folder of their own. */
function below(folder: string, name: string): string | undefined {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) return undefined
  const wanted = folder.split('/')
  for (const from of [0, 1])
    if (
      wanted.every((part, at) => parts[from + at] === part) &&
      parts.length > from + wanted.length
    )
      return parts.slice(from + wanted.length).join('/')
  return undefined
}

/** The files of `folder` in a gzipped tar archive. Links and what else is no file are left out. @throws ArchiveProblem */
export async function filesIn(archive: Buffer, folder: string): Promise<RepositoryFile[]> {
  const files: RepositoryFile[] = []
  const unpacked = extract()
  let bytes = 0
  let entries = 0
  unpacked.on('entry', ({ name, type }, content, next) => {
    const path = type === 'file' ? below(folder, name) : undefined
    entries += 1
    const parts: Buffer[] = []
    content.on('data', (part: unknown) => {
      if (path !== undefined && Buffer.isBuffer(part)) parts.push(part)
    })
    content.on('end', () => {
      if (path !== undefined) files.push({ path, content: Buffer.concat(parts) })
      if (files.length > mostFiles || entries > 20 * mostFiles)
        return next(new ArchiveProblem(`The folder ${folder} has more than ${mostFiles} files`))
      next()
    })
    content.on('error', next)
  })
  // Counted as it is unpacked: a small archive can hold very much.
  const counted = async function* (parts: AsyncIterable<Buffer>) {
    for await (const part of parts) {
      bytes += part.length
      if (bytes > mostBytes)
        throw new ArchiveProblem(`The repository is larger than ${mostBytes / 1024 ** 2} MB`)
      yield part
    }
  }
  try {
    const gunzip = createGunzip()
    const unpacking = pipeline(Readable.from([archive]), gunzip, counted, async function (parts) {
      await pipeline(Readable.from(parts), unpacked as unknown as Writable)
    })
    await unpacking
  } catch (error) {
    if (error instanceof ArchiveProblem) throw error
    throw new ArchiveProblem('What was fetched is no tar.gz archive')
  }
  return files
}
