import { momentsOf, momentText, wallAt, withoutUnderscores, type Wall } from './zone-time.ts'

/** What somebody has chosen: what a clock shows in a zone, and which of two where it shows that twice. */
export type MomentChoice = Wall & { zone: string; later: boolean }
/** What the archive covers, in whole seconds since 1970, both included. */
export type Span = { from: number; to: number }

type Read = {
  /** Seconds since 1970; undefined where there is a problem. */
  unix: number | undefined
  problem: string | undefined
  /** The two moments in milliseconds, where the clocks were put back. */
  twice: readonly [number, number] | undefined
}

const wrong = (problem: string): Read => ({ unix: undefined, problem, twice: undefined })

/** The moment that a choice names, or why it cannot be restored. `spans` are those of the archive, oldest first. */
export function readMoment(choice: MomentChoice, spans: readonly Span[]): Read {
  const { day, time, zone, later } = choice
  if (day === '' || time === '') return wrong('Choose a day and a time')
  const [first, second] = momentsOf(choice, zone)
  if (first === undefined)
    return wrong(
      `In ${withoutUnderscores(zone)} the clocks were put forward past this time: it does not exist on that day`,
    )
  const twice = second === undefined ? undefined : ([first, second] as const)
  const unix = ((later && second) || first) / 1000
  const problem = uncovered(unix, spans, zone)
  return { unix: problem ? undefined : unix, problem, twice }
}

/** Why the archive does not have a moment, in the clocks of a zone. */
function uncovered(unix: number, spans: readonly Span[], zone: string): string | undefined {
  if (spans.some(({ from, to }) => unix >= from && unix <= to)) return undefined
  const text = (seconds: number) => momentText(seconds * 1000, zone)
  const before = spans.findLast(({ to }) => to < unix)
  const after = spans.find(({ from }) => from > unix)
  if (before && after)
    return `There is no history of that moment: it falls into a gap from ${text(before.to)} to ${text(after.from)}`
  if (after) return `Too early: the earliest moment is ${text(after.from)}`
  return before ? `Too late: the latest moment is ${text(before.to)}` : 'There is no history yet'
}

/** A choice that names this moment (milliseconds). */
export function choiceAt(ms: number, zone: string): MomentChoice {
  const wall = wallAt(ms, zone)
  return { ...wall, zone, later: momentsOf(wall, zone).indexOf(Math.floor(ms / 1000) * 1000) > 0 }
}

/** The same moment in another zone; what is no moment keeps its day and time. */
export function inZone(choice: MomentChoice, zone: string): MomentChoice {
  const moments = momentsOf(choice, choice.zone)
  const ms = (choice.later && moments[1]) || moments[0]
  return ms === undefined ? { ...choice, zone } : choiceAt(ms, zone)
}

/** In whole seconds that the archive has wholly, as a choice names them. */
export const wholeSpans = (windows: readonly Span[]): Span[] =>
  windows
    .map(({ from, to }) => ({ from: Math.ceil(from), to: Math.floor(to) }))
    .filter(({ from, to }) => from <= to)

/** What lies between the parts of the archive: it begins anew after a restore, with the first backup. */
export const gapsOf = (spans: readonly Span[]): Span[] =>
  spans.slice(1).flatMap(({ from }, index) => {
    const before = spans[index]
    return before ? [{ from: before.to, to: from }] : []
  })
