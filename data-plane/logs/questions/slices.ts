import type { Span } from '../files/days.ts'
import type { Source } from '../files/listing.ts'
import type { Files } from '../engine/protocol.ts'

export type Slice = { span: Span; files: Files }

/**
 * Cuts a span into slices that are read one after the other until a page is full: the first ones are parts of what the newest
 * file covers, each further one four times as many files. Files overlap, so a slice is a stretch of time with every file that
 * reaches into it, and no entry is in two of them.
 */
export function slicesOf(
  sources: readonly Source[],
  span: Span,
  direction: 'older' | 'newer',
): Slice[] {
  const slices: Slice[] = []
  let [before, ...cuts] = cutsOf(sources, span, direction)
  for (const cut of cuts) {
    const slice = { from: Math.min(before, cut), to: Math.max(before, cut) }
    before = cut
    const files = filesIn(sources, slice)
    if (files.lines.length + files.packed.length > 0) slices.push({ span: slice, files })
  }
  return slices
}

function cutsOf(
  sources: readonly Source[],
  span: Span,
  direction: 'older' | 'newer',
): [number, ...number[]] {
  const isOlder = direction === 'older'
  // Where a file ends, in the direction of reading.
  const edges = [...new Set(sources.map((source) => (isOlder ? source.span.from : source.span.to)))]
    .filter((edge) => edge > span.from && edge < span.to)
    .toSorted((a, b) => (isOlder ? b - a : a - b))
  const cuts: [number, ...number[]] = [isOlder ? span.to : span.from]
  for (let [at, step] = [0, 4]; at < edges.length; at += step, step *= 4) cuts.push(edges[at] ?? 0)
  cuts.push(isOlder ? span.from : span.to)
  return withParts(sources, cuts)
}

/**
 * A page is a small part of a packed file, which has its entries in the order of time and so need not be read whole: a
 * 256th first, then up to a sixteenth, then the rest. Lines are read whole in any case, so they are read once.
 */
function withParts(
  sources: readonly Source[],
  [start, first, ...others]: [number, ...number[]],
): [number, ...number[]] {
  if (first === undefined) return [start]
  const slice = { from: Math.min(start, first), to: Math.max(start, first) }
  const parts = filesIn(sources, slice).lines.length === 0 ? [256, 16] : []
  const cuts = parts.map((part) => start + Math.trunc((first - start) / part))
  return [start, ...cuts.filter((cut) => cut !== start && cut !== first), first, ...others]
}

/** The files that reach into a span, the earliest first. */
export function filesIn(sources: readonly Source[], { from, to }: Span): Files {
  const inside = sources
    .filter(({ span }) => span.from < to && span.to > from)
    .toSorted((a, b) => a.span.from - b.span.from)
  const paths = (wanted: Source['kind']) =>
    inside.filter(({ kind }) => kind === wanted).map(({ path }) => path)
  return { lines: paths('lines'), packed: paths('packed') }
}
