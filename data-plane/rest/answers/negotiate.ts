import {
  anyType,
  contentTypeOf,
  isReserved,
  mediaNamed,
  typeOf,
  type Maker,
  type Media,
} from './media.ts'
import { Problem } from './problem.ts'

/** What can be had beside our own forms. */
export type Made<M extends Maker> = {
  /** By makers of this very resource. */
  own: readonly M[]
  /** By makers of every resource. */
  general: readonly M[]
  /** What is best where anything will do. */
  first: M | undefined
}

const none: Made<never> = { own: [], general: [], first: undefined }

/**
 * The best of what is offered for an Accept header (RFC 9110 §12.5.1). What the resource's own makers can make comes
 * before what all can, a maker of the very type before one of any, and both before our own forms.
 * @throws Problem 406
 */
export function negotiate<M extends Maker = never>(
  accept: string | undefined,
  offered: readonly Media[],
  made: Made<M> = none,
): Media | M {
  const [best = 'json'] = offered
  const isMade = made.own.length > 0 || made.general.length > 0
  if (!isMade && (!accept || accept === anyType || accept === contentTypeOf(best))) return best
  const ranges = (accept || anyType)
    .split(',')
    .map(parseRange)
    .toSorted((a, b) => b.quality - a.quality)
  const refused = ranges.filter((range) => range.quality <= 0).map((range) => range.type)
  for (const range of ranges) {
    if (range.quality <= 0) continue
    const forms = range.type.endsWith('/*')
      ? formsOfKind(range.type.slice(0, -1), offered, made)
      : formsOfType(range, offered, made)
    const found = forms.find((form) => !refused.includes(typeOf(form)))
    if (found) return found
  }
  const asked = ranges.map((range) => range.type).join(', ')
  throw new Problem(406, 'PGRST107', `None of these media types are available: ${asked}`)
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

const making = <M extends Maker>(list: readonly M[], type: string): M[] =>
  list.filter((maker) => maker.type === type)

/** What answers to a type, best first. */
function formsOfType<M extends Maker>(
  { type, stripped }: Range,
  offered: readonly Media[],
  { own, general }: Made<M>,
): (Media | M)[] {
  const media = mediaNamed(type, stripped)
  const builtin = media && offered.includes(media) ? [media] : []
  if (isReserved(type)) return builtin
  return [
    ...making(own, type),
    ...making(own, anyType),
    ...making(general, type),
    ...builtin,
    ...making(general, anyType),
  ]
}

/** What answers to all types of a kind, such as `text/`, or to any type at all; best first. */
function formsOfKind<M extends Maker>(
  kind: string,
  offered: readonly Media[],
  { own, general, first }: Made<M>,
): (Media | M)[] {
  const all = kind === '*/'
  const fits = (form: Media | M) => all || typeOf(form).startsWith(kind)
  const builtin = offered.filter((media) => fits(media) && !isReserved(typeOf(media)))
  return [
    ...(first && fits(first) ? [first] : []),
    ...making(own, anyType),
    ...(all ? making(general, anyType) : []),
    ...builtin.flatMap((media) => [
      ...making(own, typeOf(media)),
      ...making(general, typeOf(media)),
      media,
    ]),
    ...own.filter(fits),
    ...general.filter(fits),
    ...making(general, anyType),
  ]
}
