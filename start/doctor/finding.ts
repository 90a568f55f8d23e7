/** What one look has found: a line for whoever wants to start or install Plinth. */
export type Finding = {
  about: string
  state: 'ok' | 'warn' | 'fail'
  says: string
  /** What to do about it. */
  todo?: string
}

/** What is to be said of one part of an installation. */
export type Say = {
  ok(says: string): Finding
  warn(says: string, todo: string): Finding
  fail(says: string, todo: string): Finding
}

export const sayAbout = (about: string): Say => ({
  ok: (says) => ({ about, state: 'ok', says }),
  warn: (says, todo) => ({ about, state: 'warn', says, todo }),
  fail: (says, todo) => ({ about, state: 'fail', says, todo }),
})

export const reasonOf = (error: unknown): string => {
  // Several addresses of one name were tried: the error of each has the words, not the one around them.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return (error instanceof Error && error.message) || String(error)
}

/** As lines, each with what to do behind it. */
export function linesOf(findings: readonly Finding[]): string[] {
  const width = Math.max(...findings.map(({ about }) => about.length))
  return findings.map(({ about, state, says, todo }) =>
    `${state.padEnd(4)}  ${about.padEnd(width)}  ${says}${todo === undefined ? '' : ` -> ${todo}`}`.replaceAll(
      /\s*\n\s*/g,
      ' ',
    ),
  )
}

/** False: something has to be done before it is started. */
export const isFit = (findings: readonly Finding[]): boolean =>
  findings.every(({ state }) => state !== 'fail')

/** How far another clock is from ours, and what to do about it. */
export function clockFinding(say: Say, of: string, skewMs: number): Finding {
  const seconds = Math.abs(skewMs) / 1000
  const says = `the clock of ${of} is ${seconds.toFixed(1)} s ${skewMs < 0 ? 'behind' : 'before'} that of this machine`
  const todo = 'set both by the same time servers'
  if (seconds > 60) return say.fail(says, todo)
  return seconds > 2 ? say.warn(says, todo) : say.ok(`the clock of ${of} agrees with ours`)
}
