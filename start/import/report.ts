/** What an import brings over, each part by itself, in this order. */
export const parts = ['schema', 'auth', 'data', 'storage', 'functions', 'secrets', 'keys'] as const
export type Part = (typeof parts)[number]

export type Count = {
  part: Part
  kind: string
  /** In the source. */
  found: number
  /** By this run. */
  imported: number
  /** By an earlier run. */
  before: number
}
export type LeftOut = { part: Part; kind: string; name: string; reason: string }

/** Notes what happens while it does. */
export function createReport(source: string, target: string) {
  const counts = new Map<string, Count>()
  const left: LeftOut[] = []
  const next = new Set<string>()
  return {
    count(
      part: Part,
      kind: string,
      more: { found?: number; imported?: number; before?: number },
    ): void {
      const key = `${part} ${kind}`
      const { found = 0, imported = 0, before = 0 } = more
      const known = counts.get(key) ?? { part, kind, found: 0, imported: 0, before: 0 }
      counts.set(key, {
        ...known,
        found: known.found + found,
        imported: known.imported + imported,
        before: known.before + before,
      })
    },
    leave(part: Part, kind: string, name: string, reason: string): void {
      left.push({ part, kind, name, reason })
    },
    leaveAll(more: readonly LeftOut[]): void {
      left.push(...more)
    },
    /** What people have to do themselves. */
    advise(line: string): void {
      next.add(line)
    },
    end: () => ({
      source,
      target,
      whole: left.length === 0,
      counts: [...counts.values()].toSorted(
        (a, b) => parts.indexOf(a.part) - parts.indexOf(b.part),
      ),
      left_out: left,
      next: [...next],
    }),
  }
}
export type Report = ReturnType<typeof createReport>
export type Result = ReturnType<Report['end']>

/** Names come from the source: no sequence of theirs reaches a terminal. */
export const printable = (text: string) =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) => {
    const code = char.codePointAt(0) ?? 0
    return char === '\n' ? ' ' : `\\u{${code.toString(16)}}`
  })

/** More of one kind and reason are counted; all of them are in the JSON. */
const maxShown = 20

export function linesOf(result: Result, isRehearsal: boolean): string[] {
  const lines = [`from ${result.source} to project ${result.target}`]
  for (const part of parts) {
    const counts = result.counts.filter((one) => one.part === part)
    if (counts.length > 0) lines.push(part, ...counts.map((one) => countLine(one, isRehearsal)))
  }
  const { left_out: left, next } = result
  if (left.length > 0) lines.push(`left out: ${left.length}`)
  const groups = new Map<string, LeftOut[]>()
  for (const one of left) groups.set(groupOf(one), [...(groups.get(groupOf(one)) ?? []), one])
  for (const [group, some] of groups) {
    lines.push(`  ${group}`, ...some.slice(0, maxShown).map(({ name }) => `    ${name}`))
    if (some.length > maxShown)
      lines.push(`    and ${some.length - maxShown} more, which --json lists`)
  }
  if (next.length > 0) lines.push('what to do next', ...next.map((line) => `  - ${line}`))
  if (!isRehearsal)
    lines.push(result.whole ? 'everything was imported' : 'imported, but for what is listed above')
  return lines.map(printable)
}

const groupOf = ({ part, kind, reason }: LeftOut) => `${part}, ${kind}: ${reason}`

function countLine({ kind, found, imported, before }: Count, isRehearsal: boolean): string {
  if (isRehearsal) return `  ${kind}: ${found}`
  const earlier = before > 0 ? `, ${before} before` : ''
  return `  ${kind}: ${imported} of ${found}${earlier}`
}
