import { buffer } from 'node:stream/consumers'
import type { Sharp } from 'sharp'
import { createLimiter } from '#kit/concurrency'
import { NoBytesError, type Backend, type Place } from '../backends/backend.ts'
import { invalidRequest, noSuchKey, StorageError } from '../errors.ts'
import type { ImageParams } from './image-params.ts'

/** An image of more bytes or pixels is refused before it is unpacked: a small file can hold a huge one. */
const maxBytes = 25 * 1024 * 1024
const maxPixels = 50_000_000
const maxSeconds = 15

/** What is read. No SVG: it is a document that can run scripts. Told from the bytes, whatever the upload called them. */
const readable: Record<string, Format> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/gif': 'gif',
}
type Format = 'avif' | 'webp' | 'jpeg' | 'png' | 'gif'
export type Rendered = { image: Buffer; type: string }

/** Rendering takes a processor for a moment, and memory. */
const concurrency = 2
const maxQueued = 64
const keptBytes = 64 * 1024 * 1024

/** Makes images out of stored ones; those made last are kept in memory, by version, so that none is ever out of date. */
export function createImageRenderer(backend: Backend) {
  const kept = new Map<string, Rendered>()
  const making = new Map<string, Promise<Rendered>>()
  const full = () =>
    new StorageError('SlowDown', 'Too many images are being rendered; try again in a moment')
  const limiter = createLimiter({ concurrency, maxQueued, full })
  let size = 0

  function keep(key: string, made: Rendered): void {
    kept.set(key, made)
    size += made.image.length
    for (const [oldest, { image }] of kept) {
      if (size <= keptBytes) return
      kept.delete(oldest)
      size -= image.length
    }
  }

  /** @throws StorageError */
  return async (place: Place, params: ImageParams, accept: string): Promise<Rendered> => {
    const requested = params.format ?? acceptedFormat(accept)
    const key = JSON.stringify([place.ref, place.version, params, requested])
    const found = kept.get(key)
    if (found) {
      kept.delete(key)
      kept.set(key, found)
      return found
    }
    const running = making.get(key)
    if (running) return running
    const started = limiter(async () => {
      const made = await render(await original(backend, place), params, requested)
      keep(key, made)
      return made
    }).finally(() => making.delete(key))
    making.set(key, started)
    return started
  }
}

async function original(backend: Backend, place: Place): Promise<Buffer> {
  try {
    if ((await backend.size(place)) > maxBytes) {
      throw new StorageError('EntityTooLarge', 'The image is too large to render')
    }
    return await buffer(await backend.read(place))
  } catch (error) {
    throw error instanceof NoBytesError ? noSuchKey() : error
  }
}

/** The smallest format that the browser says it reads. */
function acceptedFormat(accept: string): 'avif' | 'webp' | 'origin' {
  if (accept.includes('image/avif')) return 'avif'
  return accept.includes('image/webp') ? 'webp' : 'origin'
}

async function render(
  bytes: Buffer,
  params: ImageParams,
  requested: 'origin' | 'avif' | 'webp',
): Promise<Rendered> {
  // Most projects never ask for an image, and the libraries are large.
  const { fileTypeFromBuffer } = await import('file-type')
  const kind = await fileTypeFromBuffer(bytes)
  const source = kind && readable[kind.mime]
  if (!source) throw invalidRequest('The object is not an image of a kind that can be rendered')
  const format = requested === 'origin' ? source : requested
  const { default: sharp } = await import('sharp')
  const { width, height, resize, gravity } = params
  try {
    // A checksum that is wrong, as careless programs write them, harms nobody; where bytes are missing the image is not whole.
    const resized = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'truncated' })
      .rotate()
      .resize({
        ...(width && { width }),
        ...(height && { height }),
        fit: resize === 'contain' ? 'inside' : resize,
        position: gravity,
        withoutEnlargement: resize === 'contain' || !width || !height,
      })
      .timeout({ seconds: maxSeconds })
    return {
      image: await encoded(resized, format, params.quality).toBuffer(),
      type: `image/${format}`,
    }
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'unknown'
    throw invalidRequest(`The image cannot be rendered: ${reason.slice(0, 200)}`)
  }
}

function encoded(image: Sharp, format: Format, quality: number): Sharp {
  switch (format) {
    case 'avif':
      // Effort 2 of 9: the rest costs seconds and saves little.
      return image.avif({ quality, effort: 2 })
    case 'webp':
      return image.webp({ quality })
    case 'jpeg':
      return image.jpeg({ quality })
    case 'png':
      return image.png()
    case 'gif':
      return image.gif()
  }
}
