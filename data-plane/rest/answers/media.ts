/** A form that an answer can have. `object` is exactly one row; stripped forms leave out keys whose value is null. */
export type Media =
  | 'json'
  | 'array'
  | 'array-stripped'
  | 'object'
  | 'object-stripped'
  | 'csv'
  | 'openapi'

/** Something in the database that makes a body itself. */
export type Maker = {
  /** The media type that it makes, in lower case. The one of any type makes what it likes. */
  type: string
  bytes: boolean
}
const contentTypes: Record<Media, string> = {
  json: 'application/json; charset=utf-8',
  array: 'application/vnd.pgrst.array+json; charset=utf-8',
  'array-stripped': 'application/vnd.pgrst.array+json; nulls=stripped; charset=utf-8',
  object: 'application/vnd.pgrst.object+json; charset=utf-8',
  'object-stripped': 'application/vnd.pgrst.object+json; nulls=stripped; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  openapi: 'application/openapi+json; charset=utf-8',
}
/** Types that are text whoever makes them; of others only their maker knows. */
const texts = new Set([
  'application/json',
  'application/geo+json',
  'text/csv',
  'text/plain',
  'text/xml',
])
export const anyType = '*/*'

export function contentTypeOf(form: Media | Maker): string {
  if (typeof form === 'string') return contentTypes[form]
  if (form.type === anyType) return 'application/octet-stream'
  return texts.has(form.type) ? `${form.type}; charset=utf-8` : form.type
}

export const isObject = (form: Media | Maker): boolean =>
  form === 'object' || form === 'object-stripped'
export const isStripped = (form: Media): boolean =>
  form === 'object-stripped' || form === 'array-stripped'

export const typeOf = (form: Media | Maker): string =>
  typeof form === 'string' ? (contentTypes[form].split(';', 1)[0] ?? '') : form.type

/** Types of the protocol's own, which nobody else can make. */
export const isReserved = (type: string): boolean => type.startsWith('application/vnd.pgrst.')

/** Our own form of a type. */
export function mediaNamed(type: string, stripped: boolean): Media | undefined {
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
