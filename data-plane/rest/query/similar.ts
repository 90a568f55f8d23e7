/** The name most like `name`, for hints; undefined when none is close. Compares shared pairs and triples of letters. */
export function closest(name: string, candidates: Iterable<string>): string | undefined {
  const requested = grams(name)
  let best: string | undefined
  let bestScore = 0.33
  let looked = 0
  for (const candidate of candidates) {
    // A hint is a courtesy: it must not cost much in a schema with very many names.
    if (++looked > 5000) break
    const score = likeness(requested, grams(candidate))
    if (score > bestScore) [best, bestScore] = [candidate, score]
  }
  return best
}

/** Counts of the pairs and triples of letters of a name, its ends included. */
function grams(name: string): Map<string, number> {
  const text = `-${name.toLowerCase().slice(0, 100)}-`
  const counts = new Map<string, number>()
  for (const size of [2, 3]) {
    for (let i = 0; i + size <= text.length; i++) {
      const gram = text.slice(i, i + size)
      counts.set(gram, (counts.get(gram) ?? 0) + 1)
    }
  }
  return counts
}

/** Cosine of the angle between the two counts: 1 for the same name, 0 when nothing is shared. */
function likeness(a: Map<string, number>, b: Map<string, number>): number {
  let shared = 0
  for (const [gram, count] of a) shared += count * (b.get(gram) ?? 0)
  return shared === 0 ? 0 : shared / Math.sqrt(squares(a) * squares(b))
}

function squares(counts: Map<string, number>): number {
  let sum = 0
  for (const count of counts.values()) sum += count * count
  return sum
}
