import { monthNames } from '../../../ui/text/number.ts'

/** What a calendar and a clock on the wall show: `2026-03-29` and `02:30:00`. */
export type Wall = { day: string; time: string }

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
