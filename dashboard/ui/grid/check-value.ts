import { jsonProblem } from './json-text.ts'

const words = /now|today|tomorrow|yesterday|epoch|infinity|allballs/i
const plainDay = /^\s*(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T]([\d:.]+))?\s*$/
const plainClock = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d*)?)?$/

/**
 * Why Postgres refuses a text for a date or a time. It takes many forms, so only what is certainly wrong is refused: a
 * text without digits or a word for a moment, and days and hours in the plain form that no calendar and no clock has.
 */
function momentProblem(format: string, text: string): string | undefined {
  if (!/\d/.test(text) && !words.test(text))
    return format.startsWith('time') && !format.startsWith('timestamp')
      ? 'This is not a time'
      : 'This is not a date'
  const [, year, month, day, clock] = plainDay.exec(text) ?? []
  if (year !== undefined) {
    if (Number(month) < 1 || Number(month) > 12) return `There is no month ${Number(month)}`
    if (Number(day) < 1 || Number(day) > daysOf(Number(year), Number(month)))
      return `There is no day ${Number(day)} in ${year}-${month?.padStart(2, '0')}`
  }
  return clockProblem(year === undefined ? text.trim() : (clock ?? ''))
}

/** Midnight may be written 24:00, and a minute may have a leap second. */
function clockProblem(text: string): string | undefined {
  const [, hour, minute, second = '0'] = plainClock.exec(text) ?? []
  if (hour === undefined) return undefined
  return Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60
    ? 'There is no such time of day'
    : undefined
}

const daysOf = (year: number, month: number): number => {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  if (month === 2) return leap ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** What is known of the type of a column. */
export type ValueType = {
  /** Its own name, as `int8`; of a domain that of the type beneath. */
  format: string
  /** In full, as `numeric(10,2)`. */
  type: string
  isList: boolean
  /** The values of an enum. */
  choices: readonly string[]
}

const uuidForm = /^\s*\{?[\da-f]{4}(?:-?[\da-f]{4}){7}\}?\s*$/i
const hexBytes = /^\\x(?:\s*[\da-f]{2})*\s*$/i
const escapedBytes = /^(?:[^\\]|\\\\|\\[0-3][0-7]{2})*$/
const truthForm = /^\s*(?:t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|y(?:es?)?|no?|on|off?|1|0)\s*$/i
const bitForm = /^(?:b?([01]*)|x([\da-f]*))$/i

/** Types of which the empty text is no value. */
const neverEmpty = new Set(
  (
    'int2 int4 int8 float4 float8 numeric oid bool uuid json jsonb date time timetz timestamp timestamptz interval ' +
    'inet cidr macaddr macaddr8 point line lseg box path polygon circle'
  ).split(' '),
)
const numbers = new Set('int2 int4 int8 float4 float8 numeric money oid'.split(' '))
const moments = new Set('date time timetz timestamp timestamptz'.split(' '))

/**
 * Why Postgres refuses a text as a value of this type, as far as that is certain without asking it. What it may take is
 * never refused here; `check-value.db.test.ts` asks a real one.
 */
export function problemOf(of: ValueType, text: string): string | undefined {
  const { format, choices } = of
  if (text.includes('\0')) return 'PostgreSQL cannot store the character NUL'
  if (of.isList) return listProblem(format, text)
  if (choices.length > 0)
    return choices.includes(text) ? undefined : `Choose one of ${named(choices)}`
  if (text === '' && neverEmpty.has(format)) return `Empty text is no value of ${format}`
  if (numbers.has(format)) return numberProblem(format, text, digitsOf(of))
  if (moments.has(format)) return momentProblem(format, text)
  switch (format) {
    case 'bool':
      return truthForm.test(text) ? undefined : 'Write true or false'
    case 'uuid':
      return uuidForm.test(text) ? undefined : 'A UUID has 32 hexadecimal digits'
    case 'json':
    case 'jsonb':
      return jsonProblem(text)
    case 'bytea':
      return bytesProblem(text)
    case 'varchar':
    case 'bpchar':
      return lengthProblem(of, text)
    case 'bit':
    case 'varbit':
      return bitsProblem(of, text)
    default:
      return undefined
  }
}

/** The vectors of the catalog are lists that are written without braces. */
function listProblem(format: string, text: string): string | undefined {
  const braces = /^\s*(?:\{|\[)/.test(text) || format.endsWith('vector')
  return braces ? undefined : 'A list is written {a,b,"c d",NULL}'
}

function bytesProblem(text: string): string | undefined {
  if (text.startsWith('\\x'))
    return hexBytes.test(text) ? undefined : 'After \\x come pairs of hexadecimal digits'
  return escapedBytes.test(text) ? undefined : 'A backslash is written \\\\, and bytes as \\x00ff'
}

/** Blanks at the end do not count: Postgres cuts them off. */
function lengthProblem({ format, type }: ValueType, text: string): string | undefined {
  const [max] = sizesOf(type)
  if (max === undefined || text.length <= max) return undefined
  const characters = Array.from(text)
  if (characters.slice(max).every((character) => character === ' ')) return undefined
  const name = format === 'bpchar' ? 'char' : format
  return `${name}(${max}) takes at most ${counted(max, 'character')}, and this has ${characters.length}`
}

function bitsProblem({ format, type }: ValueType, text: string): string | undefined {
  const found = bitForm.exec(text)
  if (!found) return 'Bits are written with 0 and 1'
  const length = found[1]?.length ?? (found[2]?.length ?? 0) * 4
  const [size] = sizesOf(type)
  if (size === undefined || length === size || (format === 'varbit' && length < size))
    return undefined
  const takes = format === 'varbit' ? 'takes at most' : 'takes exactly'
  return `${format}(${size}) ${takes} ${counted(size, 'bit')}, and this has ${length}`
}

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

/** `numeric(10,2)`: 10 and 2. */
const sizesOf = (type: string): number[] =>
  (/\((\d+(?:,-?\d+)?)\)/.exec(type)?.[1] ?? '').split(',').filter(Boolean).map(Number)

function digitsOf({ format, type }: ValueType) {
  const [all, after = 0] = sizesOf(type)
  return format === 'numeric' && all !== undefined ? { all, after } : undefined
}

/** Values of an enum, a few of them. */
const named = (choices: readonly string[]) =>
  choices.length > 6 ? `${choices.slice(0, 6).join(', ')}, …` : choices.join(', ')

/** `numeric(10,2)`: the digits in all, and those after the decimal point. */
export type Digits = { all: number; after: number }

const integerForm =
  /^\s*([+-]?)(\d+(?:_\d+)*|0x(?:_?[\da-f]+)+|0o(?:_?[0-7]+)+|0b(?:_?[01]+)+)\s*$/i
const decimalForm =
  /^\s*([+-]?)(?:(\d[\d_]*)(?:\.([\d_]*))?|\.(\d[\d_]*))(?:e([+-]?\d[\d_]*))?\s*$/i
const endlessForm = /^\s*[+-]?inf(?:inity)?\s*$/i
const nanForm = /^\s*[+-]?nan(?:\(.*\))?\s*$/i
const hexForm = /^\s*[+-]?0x/i

const bits: Record<string, bigint> = { int2: 16n, int4: 32n, int8: 64n }
/** Beyond the first a number of this type is infinite, below the second it is nothing. */
const reach: Record<string, { max: number; least: number }> = {
  float4: { max: 3.402_823_57e38, least: 7e-46 },
  float8: { max: Number.MAX_VALUE, least: Number.MIN_VALUE },
}

/** Why Postgres refuses a text for a type of numbers; undefined where it may take it. */
function numberProblem(format: string, text: string, digits?: Digits): string | undefined {
  if (format in bits) return integerProblem(format, text)
  if (format in reach) return floatProblem(format, text)
  if (format === 'numeric') return numericProblem(text, digits)
  // What money is written like depends on the settings of the server.
  if (format === 'money') return /\d/.test(text) || !/[a-z]/i.test(text) ? undefined : noNumber
  return integerForm.test(text) || hexForm.test(text) ? undefined : howToWrite(text)
}

const noNumber = 'This is not a number'

function integerProblem(format: string, text: string): string | undefined {
  const [, sign, written] = integerForm.exec(text) ?? []
  if (written === undefined)
    return decimalForm.test(text) ? `${format} takes whole numbers only` : howToWrite(text)
  const size = BigInt(bare(written))
  const value = sign === '-' ? -size : size
  const max = 2n ** ((bits[format] ?? 64n) - 1n) - 1n
  return value > max || value < -max - 1n
    ? `${format} takes numbers from ${grouped(-max - 1n)} to ${grouped(max)}`
    : undefined
}

function floatProblem(format: string, text: string): string | undefined {
  if (endlessForm.test(text) || nanForm.test(text) || hexForm.test(text)) return undefined
  if (!decimalForm.test(text) || text.includes('_')) return howToWrite(text)
  const { max, least } = reach[format] ?? { max: Infinity, least: 0 }
  const size = Math.abs(Number(text))
  if (size > max) return `This number is too large for ${format}`
  const isZero = !/[1-9]/.test(text.split(/e/i)[0] ?? '')
  return size < least && !isZero ? `This number is too close to zero for ${format}` : undefined
}

function numericProblem(text: string, digits: Digits | undefined): string | undefined {
  if (nanForm.test(text)) return undefined
  if (endlessForm.test(text)) return digits && `${nameOf(digits)} cannot hold an infinite value`
  const [, , whole] = integerForm.exec(text) ?? []
  const decimal = decimalForm.exec(text)
  if (whole === undefined && !decimal) return howToWrite(text)
  if (!digits) return undefined
  const [, , before = '', after = '', alone = '', power = '0'] = decimal ?? []
  const isDecimal = decimal !== null
  const written = isDecimal ? bare(before + after + alone) : String(BigInt(bare(whole ?? '0')))
  const significant = written.replace(/^0+/, '')
  if (significant === '') return undefined
  const places = isDecimal ? bare(before).length + Number(bare(power)) : written.length
  return overflows(significant, places - (written.length - significant.length), digits)
    ? tooWide(digits)
    : undefined
}

/** Whether 0.ddd times ten to `places` has more digits before the point than fit, after it was rounded. */
function overflows(significant: string, places: number, { all, after }: Digits): boolean {
  const room = all - after
  if (places !== room) return places > room
  return (
    /^9+$/.test(significant.slice(0, all)) &&
    significant.length > all &&
    (significant[all] ?? '0') >= '5'
  )
}

const nameOf = ({ all, after }: Digits) => `numeric(${all},${after})`

function tooWide(digits: Digits): string {
  const room = digits.all - digits.after
  if (room < 1) return `This number is too large for ${nameOf(digits)}`
  return `${nameOf(digits)} takes at most ${room === 1 ? '1 digit' : `${room} digits`} before the decimal point`
}

const bare = (text: string) => text.replaceAll('_', '')
const grouped = (value: bigint) => value.toLocaleString('en-US')

/** What spreadsheets and people put between digits: spaces, no-break spaces and apostrophes. */
const separators = /[\s'\u2019]/g

/** Numbers as people write them are told how Postgres reads them. */
function howToWrite(text: string): string {
  const packed = text.trim().replaceAll(separators, '')
  if (/^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(packed))
    return `Write this number without thousands separators: ${packed.replaceAll(',', '')}`
  if (/^[+-]?\d+(?:\.\d+)?$/.test(packed)) return `Write this number without spaces: ${packed}`
  if (/^[+-]?[\d.]*,\d+$/.test(packed))
    return 'Write a number with a point before its decimals, and without thousands separators'
  return noNumber
}
