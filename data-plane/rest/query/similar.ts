import { distance } from 'fastest-levenshtein'

/** How much of the longer name has to stay as it is for a name to be worth a hint. */
const leastLikeness = 0.33
/** A hint is a courtesy: it must not cost much in a schema with very many names, or for very long ones. */
const maxNames = 5000
const maxLetters = 100
/** So many that share letters in a row are compared letter by letter. */
const maxCompared = 50

/**
 * The name most like `name`, for hints; undefined when none is close. Names that share three letters in a row come first,
 * then those that share two; among them the fewest letters to change decide. So hints are those that programs of the
 * protocol know.
 */
export function closest(name: string, candidates: Iterable<string>): string | undefined {
  const requested = shortened(name)
  const known = [...firstOf(candidates)]
  for (const size of [3, 2]) {
    const near = sharing(requested, known, size)
      .map((candidate) => ({ candidate, score: likeness(requested, shortened(candidate)) }))
      .filter(({ score }) => score >= leastLikeness)
      .toSorted((a, b) => b.score - a.score)
    if (near[0]) return near[0].candidate
  }
  return undefined
}

function* firstOf(names: Iterable<string>): Iterable<string> {
  let looked = 0
  for (const name of names) {
    if (++looked > maxNames) return
    yield name
  }
}

const shortened = (name: string) => name.toLowerCase().slice(0, maxLetters)

/** 1 for the same name, 0 when no letter stays where it is. */
const likeness = (a: string, b: string) => 1 - distance(a, b) / Math.max(a.length, b.length, 1)

/** Names that share runs of letters with the one that is requested, the most like it first. */
function sharing(requested: string, names: readonly string[], size: number): string[] {
  const own = grams(requested, size)
  return names
    .map((name) => ({ name, score: cosine(own, grams(shortened(name), size)) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, maxCompared)
    .map(({ name }) => name)
}

/** Counts of the runs of letters of a name, its ends included. */
function grams(name: string, size: number): Map<string, number> {
  const text = `-${name.replace(/[^\p{L}\p{N}\s,]/gu, '')}-`
  const counts = new Map<string, number>()
  for (let i = 0; i + size <= text.length; i++) {
    const gram = text.slice(i, i + size)
    counts.set(gram, (counts.get(gram) ?? 0) + 1)
  }
  return counts
}

/** Of the angle between the two counts: 1 for the same runs, 0 when none is shared. */
function cosine(a: Map<string, number>, b: Map<string, number>): number {
  let shared = 0
  for (const [gram, count] of a) shared += count * (b.get(gram) ?? 0)
  return shared === 0 ? 0 : shared / Math.sqrt(squares(a) * squares(b))
}

function squares(counts: Map<string, number>): number {
  let sum = 0
  for (const count of counts.values()) sum += count * count
  return sum
}
