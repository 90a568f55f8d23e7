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
const reach: Record<string, { most: number; least: number }> = {
  float4: { most: 3.402_823_57e38, least: 7e-46 },
  float8: { most: Number.MAX_VALUE, least: Number.MIN_VALUE },
}

/** Why Postgres refuses a text for a type of numbers; undefined where it may take it. */
export function numberProblem(format: string, text: string, digits?: Digits): string | undefined {
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
  const most = 2n ** ((bits[format] ?? 64n) - 1n) - 1n
  return value > most || value < -most - 1n
    ? `${format} takes numbers from ${grouped(-most - 1n)} to ${grouped(most)}`
    : undefined
}

function floatProblem(format: string, text: string): string | undefined {
  if (endlessForm.test(text) || nanForm.test(text) || hexForm.test(text)) return undefined
  if (!decimalForm.test(text) || text.includes('_')) return howToWrite(text)
  const { most, least } = reach[format] ?? { most: Infinity, least: 0 }
  const size = Math.abs(Number(text))
  if (size > most) return `This number is too large for ${format}`
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
