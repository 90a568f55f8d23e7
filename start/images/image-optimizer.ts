import { createHash, randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { ApiError } from '#kit/errors'
import { createRateLimit } from '#kit/http/rate-limit'
import type { SafeFetch } from '#kit/network/safe-fetch'
import { createLimiter } from '#kit/concurrency'
import { encodeImage, formatFor, imageQuality, imageWidths } from './image-encode.ts'
import { imageSource } from './image-source.ts'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const Query = z.object({
  url: z.string().min(1).max(3000),
  w: z.coerce.number().refine((width) => imageWidths.includes(width), {
    message: `must be one of ${imageWidths.join(', ')}`,
  }),
  q: z.coerce
    .number()
    .default(imageQuality)
    .refine((quality) => quality === imageQuality, `must be ${imageQuality}`),
})

type Options = {
  folder: string
  hosts: readonly string[]
  cacheFolder: string
  fetch: SafeFetch
  /** Requests a minute of one address. */
  perMinute?: number
}

type Made = { image: Buffer; type: string }

/** Images being made at one time; making one takes a processor for a moment. */
const concurrency = 2
const maxQueued = 64

/** GET /_next/image?url&w&q (requirements §7): an image of our own or of an allowed host, as wide as a page needs it. */
export function serveImages(app: FastifyInstance, options: Options): void {
  const cache = createImageCache(options.cacheFolder, { bytes: 256 * 1024 * 1024, files: 5000 })
  const limit = createRateLimit(options.perMinute ?? 600)
  const making = new Map<string, Promise<Made>>()
  const full = () => new ApiError('rate_limited', undefined, 2)
  const limiter = createLimiter({ concurrency, maxQueued, full })

  /** Asked for twice at once, it is made once. */
  function make(key: string, work: () => Promise<Made>): Promise<Made> {
    const running = making.get(key)
    if (running) return running
    const started = limiter(work).finally(() => making.delete(key))
    making.set(key, started)
    return started
  }

  app.get('/_next/image', async (request, reply) => {
    await limit(request.ip)
    const query = Query.safeParse(request.query)
    if (!query.success) {
      const lines = query.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
      throw new ApiError('invalid_input', lines.join('; '))
    }
    const { url, w } = query.data
    const format = formatFor(request.headers.accept ?? '')
    const source = await imageSource(url, options)
    const key = JSON.stringify([source.key, w, format ?? 'original'])
    const { image, type } = await make(key, async () => {
      const kept = await cache.get(key, source.ageMs)
      if (kept) return unpack(kept)
      const made = await encodeImage(await source.read(), w, format)
      await cache.put(key, pack(made))
      return made
    })

    const tag = `"${createHash('sha256').update(image).digest('base64url')}"`
    void reply.headers({
      'cache-control': `public, max-age=${Math.min(source.ageMs / 1000, 86_400)}, must-revalidate`,
      vary: 'Accept',
      etag: tag,
      // Opened by itself it is an image and nothing else.
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': 'inline; filename="image"',
    })
    if (request.headers['if-none-match'] === tag) return reply.status(304).send()
    return reply.type(type).send(image)
  })
}

/** A file of the cache: the type in one line, then the image. */
const pack = ({ image, type }: Made) => Buffer.concat([Buffer.from(`${type}\n`), image])

function unpack(kept: Buffer): Made {
  const end = kept.indexOf(0x0a)
  return { type: kept.subarray(0, end).toString(), image: kept.subarray(end + 1) }
}

type Limits = { bytes: number; files: number }

/** Made images on disk, below `folder`: at most so many bytes and files, the oldest go first. */
export function createImageCache(folder: string, limits: Limits) {
  const fileOf = (key: string) => join(folder, createHash('sha256').update(key).digest('hex'))

  async function evict(): Promise<void> {
    const names = await readdir(folder)
    const files = await Promise.all(
      names.map(async (name) => {
        const path = join(folder, name)
        // Removed by another round in the meantime: as if it had not been listed.
        const found = await stat(path).catch(() => undefined)
        return { path, size: found?.size ?? 0, at: found?.mtimeMs ?? 0 }
      }),
    )
    let bytes = files.reduce((sum, { size }) => sum + size, 0)
    let left = files.length
    for (const { path, size } of files.toSorted((a, b) => a.at - b.at)) {
      if (bytes <= limits.bytes && left <= limits.files) return
      await rm(path, { force: true })
      bytes -= size
      left -= 1
    }
  }

  return {
    /** What is kept under this key and not older than `ageMs`. */
    async get(key: string, ageMs: number, now = Date.now()): Promise<Buffer | undefined> {
      const file = fileOf(key)
      const found = await stat(file).catch(() => undefined)
      if (!found || now - found.mtimeMs > ageMs) return undefined
      // Evicted between the two: made again.
      return readFile(file).catch(() => undefined)
    },

    /** Whole or not at all: a reader never sees half an image. */
    async put(key: string, image: Buffer): Promise<void> {
      await mkdir(folder, { recursive: true })
      const file = fileOf(key)
      const fresh = `${file}.${randomUUID()}`
      await writeFile(fresh, image)
      await rename(fresh, file)
      await evict()
    },
  }
}
