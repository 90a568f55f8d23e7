import { ident, quoteLiteral } from './sql-text.ts'

/** A text between dollar signs, as it is. The tag is one that the text cannot end by itself. */
export function dollarQuoted(text: string): string {
  if (text.includes('\0')) throw new TypeError('A body cannot contain a NUL character')
  for (let n = 0; ; n += 1) {
    const tag = n === 0 ? '$function$' : `$function${n}$`
    if (`${text}${tag}`.indexOf(tag) === text.length) return `${tag}${text}${tag}`
  }
}

/** Settings whose value is a list of names; quoting the whole would make one name of it (Postgres's GUC_LIST_QUOTE). */
const lists = new Set([
  'search_path',
  'temp_tablespaces',
  'local_preload_libraries',
  'session_preload_libraries',
  'shared_preload_libraries',
])

/** `set search_path to 'public', 'extensions'`. `value` is as Postgres keeps it: a list has its names quoted on demand. */
export function settingSql(name: string, value: string): string {
  const key = name.split('.').map(ident).join('.')
  // As the public metadata API has it: the value of the session in which the function is made.
  if (value === 'FROM CURRENT') return `set ${key} from current`
  const values = lists.has(name.toLowerCase()) ? namesIn(value) : [value]
  return `set ${key} to ${values.map((one) => quoteLiteral(one).trim()).join(', ')}`
}

/** The names of a list: `"$user", public` → `$user`, `public`; a list without any is one empty name. */
export function namesIn(list: string): string[] {
  const found = [...list.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/g)]
    // The expression finds one more nothing at the end.
    .filter(([all]) => all !== '')
    .map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain?.trim() ?? '')
  return found.length > 0 ? found : ['']
}

export const sameList = <A>(
  left: readonly A[],
  right: readonly A[],
  same: (a: A, b: A) => boolean,
): boolean =>
  left.length === right.length &&
  left.every((one, index) => {
    const other = right[index]
    return other !== undefined && same(one, other)
  })
