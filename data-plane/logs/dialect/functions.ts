import {
  call,
  cast,
  constantOf,
  integer,
  nameOf,
  nothing,
  QueryRefusal,
  text,
  when,
  type Node,
} from './node.ts'

/** Makes of the arguments of a public function what the engine has for it. */
type Make = (...args: Node[]) => Node

const renamed =
  (name: string): Make =>
  (...args) =>
    call(name, ...args)

/** Functions that are the engine's own under the same name. None of them makes a text grow or reads anything. */
const asTheyAre =
  `count_star count sum avg min max any_value string_agg bool_and bool_or stddev variance median first last
  row_number rank dense_rank lag lead first_value last_value ntile
  lower upper trim ltrim rtrim substr substring length strlen reverse contains starts_with replace concat strpos instr left right
  ascii split_part regexp_matches regexp_replace regexp_extract md5 ~~ !~~ ~~* !~~* || + - * / % // ** ^ & |
  abs ceil ceiling floor round sqrt ln log10 log2 exp pow power sign greatest least mod trunc
  date_part date_trunc epoch epoch_ms epoch_us hour minute second day month year
  to_seconds to_minutes to_hours to_days to_weeks to_months to_years to_milliseconds to_microseconds
  list_value array_length len coalesce ifnull nullif now position`
    .split(/\s+/)
    .filter((name) => name !== '')

const parts = new Set([
  'microsecond',
  'millisecond',
  'second',
  'minute',
  'hour',
  'day',
  'week',
  'month',
  'quarter',
  'year',
])
/** A unit of time, which stands as a bare word or as a text. @throws QueryRefusal */
function part(node: Node | undefined): string {
  const word = nameOf(node) ?? constantOf(node)
  const unit = String(word ?? '').toLowerCase()
  if (!parts.has(unit)) throw new QueryRefusal(`"${String(word)}" is no unit of time`)
  return unit
}
/** What is given as a text where a time belongs is read as one. */
const time = (node: Node | undefined): Node => cast(node ?? nothing, 'TIMESTAMP')
const truncated = (at: Node | undefined, unit: Node | undefined) =>
  call('date_trunc', text(part(unit)), time(at))
const toStart =
  (unit: string): Make =>
  (at) =>
    call('date_trunc', text(unit), time(at))
const toStartOf =
  (minutes: number): Make =>
  (at) =>
    call('time_bucket', call('to_minutes', integer(minutes)), time(at))
const toType =
  (id: string): Make =>
  (value) =>
    cast(value ?? nothing, id, true)
const unixOf =
  (name: string): Make =>
  (at) =>
    call(name, time(at))

/** How often something holds. */
const counted: Make = (condition) => call('count_if', condition ?? nothing)
const operator = (name: string, left: Node, right: Node): Node => ({
  ...call(name, left, right),
  is_operator: true,
})

/** Functions of the public dialects that the engine has otherwise. Names are compared in lower case. */
const made: Record<string, Make> = {
  // Aggregates
  countif: counted,
  count_if: counted,
  sumif: (value, condition) => call('sum', when(condition ?? nothing, value ?? nothing, nothing)),
  avgif: (value, condition) => call('avg', when(condition ?? nothing, value ?? nothing, nothing)),
  uniq: renamed('approx_count_distinct'),
  uniqexact: renamed('count'),
  approx_count_distinct: renamed('approx_count_distinct'),
  quantile: (at, value) => call('quantile_cont', value ?? nothing, at ?? nothing),
  quantileexact: (at, value) => call('quantile_cont', value ?? nothing, at ?? nothing),
  quantiletdigest: (at, value) => call('approx_quantile', value ?? nothing, at ?? nothing),
  approx_quantiles: (value, count) => {
    const steps = Number(constantOf(count))
    if (!Number.isInteger(steps) || steps < 1 || steps > 1000)
      throw new QueryRefusal('approx_quantiles takes a number of parts from 1 to 1000')
    const places = Array.from({ length: steps + 1 }, (_, n) =>
      cast(text(String(n / steps)), 'DOUBLE'),
    )
    return call('quantile_cont', value ?? nothing, call('list_value', ...places))
  },
  // Conditions
  if: (condition, then, otherwise) =>
    when(condition ?? nothing, then ?? nothing, otherwise ?? nothing),
  safe_divide: (a, b) => operator('/', a ?? nothing, call('nullif', b ?? nothing, integer(0))),
  div: (a, b) => operator('//', a ?? nothing, b ?? nothing),
  // Texts
  regexp_contains: renamed('regexp_matches'),
  match: renamed('regexp_matches'),
  regexp_full_match: renamed('regexp_matches'),
  ends_with: renamed('suffix'),
  endswith: renamed('suffix'),
  startswith: renamed('starts_with'),
  char_length: renamed('length'),
  character_length: renamed('length'),
  lowerutf8: renamed('lower'),
  upperutf8: renamed('upper'),
  split: (value, by = text(',')) => call('string_split', value ?? nothing, by),
  tostring: toType('VARCHAR'),
  toint32: toType('BIGINT'),
  toint64: toType('BIGINT'),
  touint64: toType('BIGINT'),
  tofloat64: toType('DOUBLE'),
  // Times
  current_timestamp: () => call('now_utc'),
  get_current_timestamp: () => call('now_utc'),
  now: () => call('now_utc'),
  timestamp_trunc: (at, unit) => truncated(at, unit),
  datetime_trunc: (at, unit) => truncated(at, unit),
  timestamp_sub: (at, by) => operator('-', time(at), by ?? nothing),
  datetime_sub: (at, by) => operator('-', time(at), by ?? nothing),
  timestamp_add: (at, by) => operator('+', time(at), by ?? nothing),
  datetime_add: (at, by) => operator('+', time(at), by ?? nothing),
  timestamp_diff: (a, b, unit) => call('date_diff', text(part(unit)), time(b), time(a)),
  datetime_diff: (a, b, unit) => call('date_diff', text(part(unit)), time(b), time(a)),
  date_diff: (a, b, unit) => call('date_diff', text(part(unit)), time(b), time(a)),
  timestamp_micros: renamed('make_timestamp'),
  timestamp_millis: (ms) => call('make_timestamp', operator('*', ms ?? nothing, integer(1000))),
  timestamp_seconds: (s) => call('make_timestamp', operator('*', s ?? nothing, integer(1_000_000))),
  unix_micros: unixOf('epoch_us'),
  unix_millis: unixOf('epoch_ms'),
  unix_seconds: (at) => cast(call('epoch', time(at)), 'BIGINT'),
  tounixtimestamp: (at) => cast(call('epoch', time(at)), 'BIGINT'),
  timestamp: (at) => time(at),
  datetime: (at) => time(at),
  todatetime: (at) => time(at),
  todatetime64: (at) => time(at),
  parsedatetimebesteffort: (at) => time(at),
  format_timestamp: (format, at) => call('strftime', time(at), format ?? nothing),
  format_datetime: (format, at) => call('strftime', time(at), format ?? nothing),
  formatdatetime: (at, format) => call('strftime', time(at), format ?? nothing),
  date: (at) => cast(time(at), 'DATE'),
  todate: (at) => cast(time(at), 'DATE'),
  tostartofminute: toStart('minute'),
  tostartofhour: toStart('hour'),
  tostartofday: toStart('day'),
  tostartofweek: toStart('week'),
  tostartofmonth: toStart('month'),
  tostartoffiveminutes: toStartOf(5),
  tostartoftenminutes: toStartOf(10),
  tostartoffifteenminutes: toStartOf(15),
  tostartofinterval: (at, by) => call('time_bucket', by ?? nothing, time(at)),
  time_bucket: (by, at) => call('time_bucket', by ?? nothing, time(at)),
  date_trunc: (a, b) =>
    // One dialect has the unit first, the other one last.
    constantOf(a) === undefined ? truncated(a, b) : truncated(b, a),
}
for (const name of asTheyAre) made[name] ??= renamed(name)

export const functionNames: readonly string[] = Object.keys(made).filter((name) =>
  /^\w+$/.test(name),
)

/** @throws QueryRefusal for what this dialect does not have */
export function functionNode(name: string, args: Node[], unknown: (name: string) => never): Node {
  const lower = name.toLowerCase()
  const make = Object.hasOwn(made, lower) ? made[lower] : undefined
  return make ? make(...args) : unknown(name)
}

/** Functions that count each value once. */
export const isDistinct = (name: string): boolean => /^uniqexact$/i.test(name)

/** Functions whose last arguments are words: they are no columns. */
export const takesUnit = (name: string): boolean =>
  /^(?:timestamp_trunc|datetime_trunc|timestamp_diff|datetime_diff|date_diff|date_trunc)$/i.test(
    name,
  )
