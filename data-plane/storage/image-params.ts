import { z } from 'zod'
import { read } from './input.ts'

/** Pixels of a side. 0 means: not told. */
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
export const imageParams = (given: Record<string, unknown>): ImageParams => read(Params, given)
