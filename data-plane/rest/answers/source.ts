import type { Answer } from './answer.ts'

/** Says which server has answered a read that might have gone to a replica: five letters, or `primary`. */
export const sourceHeader = 'x-plinth-read-from'

/** `identifier` is of the replica; undefined: the primary has answered, and the preference was not applied. */
export function withSource(answer: Answer, identifier: string | undefined): Answer {
  const headers = { ...answer.headers, [sourceHeader]: identifier ?? 'primary' }
  if (identifier === undefined) return { ...answer, headers }
  const applied = [answer.headers['preference-applied'] ?? [], 'read=replica'].flat().join(', ')
  return { ...answer, headers: { ...headers, 'preference-applied': applied } }
}
