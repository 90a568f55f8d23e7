import { Problem } from './problem.ts'

/** A form that an answer can have. `object` is exactly one row; stripped forms leave out keys whose value is null. */
export type Media =
  | 'json'
  | 'array'
  | 'array-stripped'
  | 'object'
  | 'object-stripped'
  | 'csv'
  | 'openapi'

export const contentTypes: Record<Media, string> = {
  json: 'application/json; charset=utf-8',
  array: 'application/vnd.pgrst.array+json; charset=utf-8',
  'array-stripped': 'application/vnd.pgrst.array+json; nulls=stripped; charset=utf-8',
  object: 'application/vnd.pgrst.object+json; charset=utf-8',
  'object-stripped': 'application/vnd.pgrst.object+json; nulls=stripped; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  openapi: 'application/openapi+json; charset=utf-8',
}

export const isObject = (media: Media): boolean => media === 'object' || media === 'object-stripped'
export const isStripped = (media: Media): boolean =>
  media === 'object-stripped' || media === 'array-stripped'

/** The best of `offered` for an Accept header (RFC 9110 §12.5.1). @throws Problem 406 */
export function negotiate(accept: string | undefined, offered: readonly Media[]): Media {
  const best = offered[0] ?? 'json'
  if (accept === undefined || accept === '*/*' || accept === contentTypes[best]) return best
  const wanted = accept
    .split(',')
    .map(parseRange)
    .toSorted((a, b) => b.quality - a.quality)
  for (const range of wanted) {
    const found = range.quality > 0 && mediaOf(range, offered)
    if (found) return found
  }
  const asked = wanted.map((range) => range.type).join(', ')
  throw new Problem(406, 'PGRST107', `None of these media types are available: ${asked}`)
}

// What is made as any type (`*/*`) is whatever its maker says.
/** Lets pass what an Accept header takes. @throws Problem 406 */
export function admit(accept: string | undefined, type: string): void {
  const [kind = ''] = type.split('/')
  const admitted = (accept ?? '*/*')
    .split(',')
    .map(parseRange)
    .some((range) => range.quality > 0 && ['*/*', `${kind}/*`, type].includes(range.type))
  if (admitted || type === '*/*') return
  throw new Problem(406, 'PGRST107', `None of these media types are available: ${accept ?? ''}`)
}

type Range = { type: string; stripped: boolean; quality: number }

function parseRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = Number(parameters.find((p) => p.startsWith('q='))?.slice(2) ?? 1)
  return {
    type,
    stripped: parameters.includes('nulls=stripped'),
    quality: Number.isFinite(quality) ? quality : 0,
  }
}

function mediaOf({ type, stripped }: Range, offered: readonly Media[]): Media | undefined {
  const media = named(type, stripped)
  if (media) return offered.includes(media) ? media : undefined
  return type === '*/*' || type === 'application/*' ? offered[0] : undefined
}

function named(type: string, stripped: boolean): Media | undefined {
  switch (type) {
    case 'application/json':
      return 'json'
    case 'application/vnd.pgrst.object+json':
    case 'application/vnd.pgrst.object':
      return stripped ? 'object-stripped' : 'object'
    case 'application/vnd.pgrst.array+json':
    case 'application/vnd.pgrst.array':
      return stripped ? 'array-stripped' : 'array'
    case 'text/csv':
      return 'csv'
    case 'application/openapi+json':
      return 'openapi'
    default:
      return undefined
  }
}
