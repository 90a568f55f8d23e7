import { readFile, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { ApiError } from '#kit/errors'
import { RefusedFetch, type SafeFetch } from '#kit/network/safe-fetch'

export type ImageSource = {
  /** Names the original, and changes when it does. */
  key: string
  /** How long a made image is good, in ms. */
  ageMs: number
  read: () => Promise<Buffer>
}

type Options = {
  /** The dashboard's own files. */
  folder: string
  /** Hosts whose images are fetched, as `host` or `host:port`. */
  hosts: readonly string[]
  fetch: SafeFetch
}

const hour = 60 * 60 * 1000
const largestFile = 20 * 1024 * 1024
const notHere = 'url: only images of the dashboard and of allowed hosts are served here'

/**
 * Where an image comes from: a path of the dashboard's own files, or a host that the operator allows.
 * @throws ApiError invalid_input for any other place, not_found for what is not there.
 */
export async function imageSource(
  url: string,
  { folder, hosts, fetch }: Options,
): Promise<ImageSource> {
  if (/^\/(?![/\\])/.test(url)) return ownFile(url, folder)
  if (!URL.canParse(url)) throw new ApiError('invalid_input', notHere)
  const { protocol, host, href, username, password } = new URL(url)
  const known = hosts.includes(host.toLowerCase())
  if (!/^https?:$/.test(protocol) || !known || username || password) {
    throw new ApiError('invalid_input', notHere)
  }
  return { key: href, ageMs: hour, read: () => fetched(href, fetch) }
}

async function ownFile(url: string, folder: string): Promise<ImageSource> {
  const path = join(folder, pathOf(url))
  if (!path.startsWith(folder + sep)) throw new ApiError('invalid_input', notHere)
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) throw new ApiError('not_found')
  if (found.size > largestFile) throw new ApiError('invalid_input', 'url: the image is too large')
  return {
    key: `${path}:${found.mtimeMs}:${found.size}`,
    ageMs: 365 * 24 * hour,
    read: () => readFile(path),
  }
}

function pathOf(url: string): string {
  try {
    const path = decodeURIComponent(url.split(/[?#]/)[0] ?? '')
    if (!path.includes('\0')) return path
  } catch {
    // A broken escape: an address that nothing has.
  }
  throw new ApiError('invalid_input', notHere)
}

async function fetched(href: string, fetch: SafeFetch): Promise<Buffer> {
  const answer = await fetch(href, {
    // A redirect could leave the hosts that are allowed.
    redirect: 'manual',
    headers: { accept: 'image/*' },
  }).catch((error: unknown) => {
    if (error instanceof RefusedFetch) throw new ApiError('invalid_input', `url: ${error.message}`)
    throw new ApiError('not_found', "The image's server is not responding")
  })
  if (answer.status !== 200) throw new ApiError('not_found', 'There is no image at this address')
  return Buffer.from(await answer.arrayBuffer())
}
