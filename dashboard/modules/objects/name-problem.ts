/** Why a name cannot be one in Postgres; undefined when it can. */
export function nameProblem(name: string): string | undefined {
  if (name === '') return 'Give it a name'
  if (name.includes('\0')) return 'A name cannot contain a NUL character'
  return new TextEncoder().encode(name).length > 63 ? 'A name has at most 63 bytes' : undefined
}
