import { z } from 'zod'
import { read } from '../input.ts'

/** Pixels of a side; 0: not given. */
const Side = z.coerce.number().int().min(0).max(2500).optional()

const gravities = {
  ce: 'centre',
  no: 'north',
  so: 'south',
  ea: 'east',
  we: 'west',
  noea: 'northeast',
  nowe: 'northwest',
  soea: 'southeast',
  sowe: 'southwest',
  sm: 'attention',
} as const

const Params = z.object({
  width: Side,
  height: Side,
  resize: z.enum(['cover', 'contain', 'fill']).default('cover'),
  quality: z.coerce.number().int().min(20).max(100).default(80),
  format: z.enum(['origin', 'avif', 'webp']).optional(),
  gravity: z
    .enum(Object.keys(gravities) as [keyof typeof gravities])
    .default('ce')
    .transform((short) => gravities[short]),
})

/** How an image is to be rendered (contract §4). */
export type ImageParams = z.infer<typeof Params>

/** From the query of an address, or what somebody signs. What else stands there is passed over. @throws StorageError */
export function imageParams(given: Record<string, unknown>): {
  params: ImageParams
  summary: string
} {
  const params = read(Params, given)
  return { params, summary: summaryOf(params, given) }
}

const fits = { cover: 'fill', contain: 'fit', fill: 'force' } as const

/** What was asked for, in the words of the header `x-transformations`, which programs compare. */
function summaryOf(params: ImageParams, given: Record<string, unknown>): string {
  const { width = 0, height = 0, resize, quality, format = 'origin' } = params
  return [
    ...(height > 0 ? [`height:${height}`] : []),
    ...(width > 0 ? [`width:${width}`] : []),
    ...(height > 0 || width > 0 ? [`resizing_type:${fits[resize]}`] : []),
    ...('quality' in given ? [`quality:${quality}`] : []),
    ...(format === 'origin' ? [] : [`format:${format}`]),
  ].join(',')
}
