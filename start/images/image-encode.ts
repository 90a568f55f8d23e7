import type { Sharp } from 'sharp'
import { ApiError } from '#kit/errors'

/** Widths that images come in, and the one quality (requirements §9). */
export const imageWidths: readonly number[] = [640, 750, 828, 1080, 1200, 1920, 2048, 3840]
export const imageQuality = 75

/** An image of more pixels is refused before it is unpacked: a small file can hold a huge one. */
const maxPixels = 40_000_000

/** What is read. No SVG: it is a document that can run scripts. Told from the bytes, whatever the server calls them. */
const readable = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif']

export type ImageFormat = 'avif' | 'webp' | 'jpeg' | 'png'

/** The format to answer in: the smallest of those that the browser says it reads, else what every browser does. */
export function formatFor(accept: string): ImageFormat | undefined {
  if (accept.includes('image/avif')) return 'avif'
  if (accept.includes('image/webp')) return 'webp'
  return undefined
}

/**
 * An image at most `width` wide, never enlarged, without its metadata (a photograph's may say where it was taken).
 * @throws ApiError invalid_input for what is no image that is read here.
 */
export async function encodeImage(
  original: Buffer,
  width: number,
  requested: ImageFormat | undefined,
): Promise<{ image: Buffer; type: string }> {
  // Most platforms start and end without making an image, and the libraries are large.
  const { fileTypeFromBuffer } = await import('file-type')
  const kind = await fileTypeFromBuffer(original)
  if (!kind || !readable.includes(kind.mime)) {
    throw new ApiError('invalid_input', 'url: this image format is not supported')
  }
  const opaque = kind.mime === 'image/jpeg'
  const format = requested ?? (opaque ? 'jpeg' : 'png')
  const { default: sharp } = await import('sharp')
  try {
    const resized = sharp(original, { limitInputPixels: maxPixels, failOn: 'error' })
      .rotate()
      .resize({ width, withoutEnlargement: true })
    return { image: await encoded(resized, format).toBuffer(), type: `image/${format}` }
  } catch (error) {
    throw new ApiError('invalid_input', `url: the image cannot be read: ${reason(error)}`)
  }
}

function encoded(image: Sharp, format: ImageFormat): Sharp {
  const quality = imageQuality
  switch (format) {
    case 'avif':
      // Effort 2 of 9: the rest costs seconds and saves little.
      return image.avif({ quality, effort: 2 })
    case 'webp':
      return image.webp({ quality })
    case 'jpeg':
      return image.jpeg({ quality, mozjpeg: true })
    case 'png':
      return image.png({ quality, palette: true })
  }
}

const reason = (error: unknown) =>
  error instanceof Error ? (error.message.split('\n')[0] ?? '').slice(0, 200) : 'unknown'
