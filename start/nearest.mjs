// What somebody meant to type.
import { closest, distance } from 'fastest-levenshtein'

/**
 * The known word that is nearest to what was typed; undefined when none is near.
 * @param {string} typed
 * @param {readonly string[]} known
 * @returns {string | undefined}
 */
export function nearest(typed, known) {
  if (known.length === 0) return undefined
  const found = closest(typed, known)
  // A third of it wrong is still a slip of the fingers.
  return distance(typed, found) <= Math.max(1, Math.floor(found.length / 3)) ? found : undefined
}
