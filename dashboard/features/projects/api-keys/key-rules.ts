/** What a key can be called, as the server has it; undefined when the name is good. */
export function keyNameProblem(name: string): string | undefined {
  if (name === '') return 'Enter a name'
  if (name.length < 4) return 'At least 4 characters'
  if (name.length > 64) return 'At most 64 characters'
  if (!/^[a-z0-9_]+$/.test(name)) return 'Only lower-case letters, digits and underscores'
  return /^[0-9]/.test(name) ? 'The first character must not be a digit' : undefined
}

export const descriptionProblem = (text: string): string | undefined =>
  text.trim().length > 500 ? 'At most 500 characters' : undefined
