type State = Record<string, unknown>

/** What differs between two states of the same thing, for an audit entry. */
export function changes(before: State, after: State): { before: State; after: State } {
  const differs = ([key]: [string, unknown]) =>
    JSON.stringify(before[key]) !== JSON.stringify(after[key])
  return {
    before: Object.fromEntries(Object.entries(before).filter(differs)),
    after: Object.fromEntries(Object.entries(after).filter(differs)),
  }
}
