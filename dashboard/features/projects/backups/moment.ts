import { monthNames } from '../../../ui/text/number.ts'

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

/** What a calendar and a clock on the wall show: `2026-03-29` and `02:30:00`. */
type Wall = { day: string; time: string }

const dayMs = 24 * 60 * 60 * 1000
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  formats.set(zone, made)
  return made
}

/** What the clocks of a zone show at a moment, to the second. */
export function wallAt(ms: number, zone: string): Wall {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  )
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
  return {
    day: `${of('year')}-${of('month')}-${of('day')}`,
    time: `${of('hour')}:${of('minute')}:${of('second')}`,
  }
}

const asUtc = ({ day, time }: Wall): number => Date.parse(`${day}T${time}Z`)
const withSeconds = (time: string): string => (/^\d\d:\d\d$/.test(time) ? `${time}:00` : time)

/** By how much the clocks of a zone are ahead of UTC at a moment. */
const offsetAt = (ms: number, zone: string): number =>
  asUtc(wallAt(ms, zone)) - Math.floor(ms / 1000) * 1000

/**
 * The moments at which the clocks of a zone show this, in milliseconds: none where they are put forward past it, two where
 * they are put back, and none for what is no day or time.
 */
export function momentsOf({ day, time }: Wall, zone: string): number[] {
  const wall = { day, time: withSeconds(time) }
  const there = asUtc(wall)
  if (Number.isNaN(there)) return []
  // Between these two the clocks are changed at most once.
  const offsets = new Set([offsetAt(there - dayMs, zone), offsetAt(there + dayMs, zone)])
  return [...offsets]
    .map((offset) => there - offset)
    .filter((ms) => {
      const shown = wallAt(ms, zone)
      return shown.day === wall.day && shown.time === wall.time
    })
    .toSorted((a, b) => a - b)
}

const two = (n: number) => String(n).padStart(2, '0')

/** `+01:00`: how far the clocks of a zone are from UTC at a moment. */
export function offsetText(ms: number, zone: string): string {
  const minutes = Math.round(offsetAt(ms, zone) / 60_000)
  const [size, sign] = [Math.abs(minutes), minutes < 0 ? '-' : '+']
  return `${sign}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

/** `29 Mar 2026, 02:30:00`. */
export function wallText({ day, time }: Wall): string {
  const [year = '', month = '', date = ''] = day.split('-')
  return `${date} ${monthNames[Number(month) - 1]} ${year}, ${time}`
}

/** A moment as the clocks of a zone show it. */
export const momentText = (ms: number, zone: string): string => wallText(wallAt(ms, zone))

/** The zone of the reader's machine. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** What some zones are called today; browsers name these by what they were called before. */
const presentNames = [
  'America/Nuuk',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Yangon',
  'Europe/Kyiv',
]

function isZone(name: string): boolean {
  try {
    formatOf(name)
    return true
  } catch {
    // A RangeError is how it says that it knows no such zone.
    return false
  }
}

/** UTC, the own zone, and all others that the browser knows. */
export const allZones = (): string[] => {
  const others = [...Intl.supportedValuesOf('timeZone'), ...presentNames.filter(isZone)]
  return [...new Set(['UTC', ownZone(), ...others.toSorted()])]
}

/** As people read names of zones: `America/New York`. */
export const withoutUnderscores = (zone: string): string => zone.replaceAll('_', ' ')
