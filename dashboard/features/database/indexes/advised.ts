import type { IndexAdvice, Statement } from '#contract/observability/query-performance'
import { keyOfAdvice } from '../../../modules/advice/AdviceCard.tsx'

export type Advised = {
  advice: IndexAdvice
  /** The statements that it helps, the busiest first. */
  statements: Statement[]
}

/** One statement's advice beside what is known already: an index that helps several is there once. */
export function withAdvice(
  known: readonly Advised[],
  statement: Statement,
  indexes: readonly IndexAdvice[],
): Advised[] {
  const all = new Map(known.map((one) => [keyOfAdvice(one.advice), one]))
  for (const advice of indexes) {
    const key = keyOfAdvice(advice)
    const before = all.get(key)
    all.set(
      key,
      before
        ? { ...before, statements: [...before.statements, statement] }
        : { advice, statements: [statement] },
    )
  }
  return [...all.values()].toSorted((a, b) => shareOf(b) - shareOf(a))
}

/** Statements that look for rows; no index makes the others cheaper. */
export const mayGain = ({ query }: Pick<Statement, 'query'>) =>
  /^\s*(?:select|with|update|delete|merge)\b/i.test(query) &&
  /\b(?:where|join|order|using)\b/i.test(query)

/** Of all the time that the database spends, 0 to 1. */
export const shareOf = ({ statements }: Advised) =>
  statements.reduce((sum, { share }) => sum + share, 0)
