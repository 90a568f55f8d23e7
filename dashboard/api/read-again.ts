import type { Query, QueryClient } from '@tanstack/react-query'

/** A read that neither answers nor fails is waited for no longer than this. */
const longestMs = 15_000

/**
 * Marks everything read under these names as old, reads again what is on the screen, and waits for that: for each, until
 * its first answer or its first failure. A read that fails is tried again by itself and shows its own error; whoever
 * waits here has had an answer to something else, and is not held up by its retries or by a network that is gone.
 */
export async function readAgain(client: QueryClient, names: readonly string[]): Promise<void> {
  const isOfNames = ({ queryKey: [name] }: Query) =>
    typeof name === 'string' && names.includes(name)
  // A first reading that is under way cannot begin anew, and may be from before the change: it is followed by another.
  const first = client
    .getQueryCache()
    .findAll({ predicate: isOfNames, type: 'active', fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined)
  await begin(client, isOfNames)
  const late = first.filter(({ state }) => state.data !== undefined)
  if (late.length > 0) await begin(client, (query) => late.includes(query))
}

/** Errors are those of the queries: nothing is thrown here. */
async function begin(client: QueryClient, predicate: (query: Query) => boolean): Promise<void> {
  void client.invalidateQueries({ predicate })
  const begun = client.getQueryCache().findAll({ predicate, type: 'active' })
  await Promise.all(begun.map((query) => firstWord(client, query)))
}

const isAwaited = ({ state: { fetchStatus, fetchFailureCount } }: Query) =>
  fetchStatus === 'fetching' && fetchFailureCount === 0

/** Until what is being read has answered or failed once, waits for a network, or is wanted by nobody any more. */
function firstWord(client: QueryClient, query: Query): Promise<void> {
  if (!isAwaited(query)) return Promise.resolve()
  return new Promise((resolve) => {
    const end = () => {
      unsubscribe()
      clearTimeout(timer)
      resolve()
    }
    const unsubscribe = client.getQueryCache().subscribe(({ type, query: about }) => {
      if (about === query && (type === 'removed' || !isAwaited(query))) end()
    })
    const timer = setTimeout(end, longestMs)
  })
}
