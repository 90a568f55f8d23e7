import { reportColumns, type ReportBlock } from '#contract/observability/report-content'

export type Place = Pick<ReportBlock, 'x' | 'y' | 'w' | 'h'>
type Placed = Place & { id: string }

export const smallest = { w: 2, h: 1 }
export const largestHeight = 20

const overlap = (a: Place, b: Place) =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h

const inOrder = (a: Place, b: Place) => a.y - b.y || a.x - b.x

/** The nearest place within the grid. */
export function within({ x, y, w, h }: Place): Place {
  const width = Math.min(Math.max(w, smallest.w), reportColumns)
  return {
    w: width,
    h: Math.min(Math.max(h, smallest.h), largestHeight),
    x: Math.min(Math.max(x, 0), reportColumns - width),
    y: Math.max(y, 0),
  }
}

/**
 * Gives a block another place: what lay there moves down, and then everything moves up as far as nothing is in its way. No
 * two overlap afterwards, and no row is empty above a block.
 */
export function movedTo<B extends Placed>(blocks: readonly B[], id: string, to: Place): B[] {
  const moved = blocks.find((block) => block.id === id)
  if (!moved) return [...blocks]
  const first = { ...moved, ...within(to) }
  // In a row that is taken, the block that was moved comes first.
  const others = blocks.filter((block) => block.id !== id).toSorted(inOrder)
  const settled: B[] = [first]
  for (const block of others) settled.push(below(block, settled))
  return fallen(settled, blocks)
}

/** Closes the gaps that a removed block has left. */
export const closed = <B extends Placed>(blocks: readonly B[]): B[] => fallen(blocks, blocks)

/** A place for something new, below everything. */
export const afterAll = (blocks: readonly Place[]): number =>
  Math.max(0, ...blocks.map(({ y, h }) => y + h))

/** The first row, from where the block stands, in which it meets none of the others. */
function below<B extends Placed>(block: B, others: readonly B[]): B {
  let place = block
  for (let hit = meeting(place, others); hit; hit = meeting(place, others))
    place = { ...place, y: hit.y + hit.h }
  return place
}
const meeting = <B extends Placed>(block: B, others: readonly B[]) =>
  others.find((other) => overlap(block, other))

/** Everything as high as it goes, from the top; in the order that `like` has. */
function fallen<B extends Placed>(blocks: readonly B[], like: readonly B[]): B[] {
  const settled = new Map<string, B>()
  for (const block of blocks.toSorted(inOrder)) {
    const others = [...settled.values()]
    let place = block
    while (place.y > 0 && !meeting({ ...place, y: place.y - 1 }, others))
      place = { ...place, y: place.y - 1 }
    settled.set(block.id, place)
  }
  return like.flatMap(({ id }) => settled.get(id) ?? [])
}
