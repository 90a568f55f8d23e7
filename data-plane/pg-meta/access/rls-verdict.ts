import type { RlsCommand, RlsOutcome, RlsStep } from '#contract/database/rls-test'

export type Part = RlsStep['part']

/** The parts of a policy that matter here; expressions as SQL, null where it has none. */
export type RlsPolicy = {
  id: number
  permissive: boolean
  /** As pg_policy has it: r, a, w, d or * for all. */
  command: string
  using: string | null
  check: string | null
}

const letters: Record<RlsCommand, string> = { SELECT: 'r', INSERT: 'a', UPDATE: 'w', DELETE: 'd' }

/** What is asked about each row, in the order in which it is. An update or delete finds its rows by a filter, so they must be seen. */
export const partsOf: Record<RlsCommand, readonly Part[]> = {
  SELECT: ['see'],
  INSERT: ['check', 'read_back'],
  UPDATE: ['see', 'change', 'check', 'read_back'],
  DELETE: ['see', 'change'],
}

/** Whether a part is asked about the row as it would be. */
export const isOfNewRow = (part: Part) => part === 'check' || part === 'read_back'

/**
 * The policies that speak in a part, with the expression they are asked by. One without an expression says nothing there: it
 * neither lets a row through nor holds it back.
 */
export function asked(
  policies: readonly RlsPolicy[],
  command: RlsCommand,
  part: Part,
): { policy: RlsPolicy; expression: string }[] {
  const letter = part === 'see' || part === 'read_back' ? 'r' : letters[command]
  return policies.flatMap((policy) => {
    if (policy.command !== letter && policy.command !== '*') return []
    const expression = part === 'check' ? (policy.check ?? policy.using) : policy.using
    return expression === null ? [] : [{ policy, expression }]
  })
}

/** True, false, SQL's unknown, or an expression that failed. */
export type Answer = boolean | null | 'failed'
type Answered = { permissive: boolean; answer: Answer }

/** One permissive policy has to let the row through, and no restrictive one may hold it back. Null: nobody can tell. */
export function combined(answers: readonly Answered[]): boolean | null {
  if (answers.some(({ answer }) => answer === 'failed')) return null
  const permitted = answers.some(({ permissive, answer }) => permissive && answer === true)
  return permitted && answers.every(({ permissive, answer }) => permissive || answer === true)
}

/** What becomes of a row. What cannot be read back is written all the same, unless the command had to see it to find it. */
export function outcomeOf(
  command: RlsCommand,
  steps: readonly Pick<RlsStep, 'part' | 'passed'>[],
): RlsOutcome {
  for (const { part, passed } of steps) {
    if (command === 'INSERT' && part === 'read_back') continue
    if (passed === null) return 'unknown'
    if (!passed) return isOfNewRow(part) ? 'refused' : 'skipped'
  }
  return 'allowed'
}
