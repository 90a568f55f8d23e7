import { quoteIdent } from '#contract/ddl/sql-text'
import type { Call } from '../plan/plan-call.ts'
import { qualified, type Values } from './sql-parts.ts'

const argsAlias = 'plinth_args'

/** What stands behind FROM for a function that returns rows: the arguments beside the call. */
export function callSource(call: Call, values: Values): string {
  const { args, invocation } = parts(call, values)
  const alias = quoteIdent(call.fn.name)
  return args === '' ? `${invocation} as ${alias}` : `${args}, lateral ${invocation} as ${alias}`
}

/** Rows of one column, `plinth_scalar`: the value or values that a function returns. */
export function scalarRows(call: Call, values: Values): string {
  const { args, invocation } = parts(call, values)
  return `select ${invocation} as plinth_scalar${args === '' ? '' : ` from ${args}`}`
}

/** An argument has no length, but to a name of these types without one SQL adds (1). */
const anyLength = (type: string): string =>
  type.replace(/^character(?=$|\[)/, 'bpchar').replace(/^bit(?=$|\[)/, '"bit"')

/** Arguments go by name, so the ones left out take their defaults; the JSON gives each the type it is declared with. */
function parts({ fn, args, value, first, unnamed }: Call, values: Values) {
  const name = qualified(fn)
  if (unnamed) {
    return { args: '', invocation: `${name}(${values.bind(value)}::${anyLength(unnamed.type)})` }
  }
  if (args.length === 0) return { args: '', invocation: `${name}()` }
  const list = args.map((arg) => `${quoteIdent(arg.name)} ${anyLength(arg.type)}`).join(', ')
  const passed = args.map(
    (arg) =>
      `${arg.variadic ? 'variadic ' : ''}${quoteIdent(arg.name)} := ${argsAlias}.${quoteIdent(arg.name)}`,
  )
  return {
    args: `json_to_record(${values.bind(value)}::json${first ? ' -> 0' : ''}) as ${argsAlias}(${list})`,
    invocation: `${name}(${passed.join(', ')})`,
  }
}
