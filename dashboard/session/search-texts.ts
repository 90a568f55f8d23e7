/** The named texts of an address's search; everything else, and what is empty, is left out. */
export function searchTexts<Name extends string>(
  search: Record<string, unknown>,
  names: readonly Name[],
): { [N in Name]?: string } {
  const found = names.map((name) => [name, search[name]] as const)
  const kept = found.filter(([, value]) => typeof value === 'string' && value !== '')
  // The keys are from `names` and the values were just seen to be texts.
  return Object.fromEntries(kept) as { [N in Name]?: string }
}
