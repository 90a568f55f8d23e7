/** GraphQL's grammar of names; two underscores in front are its own (specification §2.1.9 and §4). */
export const isName = (name: string): boolean =>
  /^[A-Za-z_][0-9A-Za-z_]*$/.test(name) && !name.startsWith('__')

/** Spells names the database's way, or in the way of GraphQL when the schema's comment asks for it. */
export type Spelling = { type(name: string): string; field(name: string): string }

const upper = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
/** Root fields begin with a small letter, however the table is called. */
export const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)
const camel = (name: string) => name.split('_').map(upper).join('')

const asIs: Spelling = { type: (name) => name, field: (name) => name }
const inflected: Spelling = { type: camel, field: (name) => lowerFirst(camel(name)) }

export const spellingOf = (inflectNames: boolean): Spelling => (inflectNames ? inflected : asIs)

/** `owner_id` and `ownerId` point to an `owner`; any other column to what its table is called. */
export function pointerName(columns: readonly string[], target: string): string {
  const [column = ''] = columns
  const found = columns.length === 1 ? /^(.+?)(?:_id|Id)$/.exec(column)?.[1] : undefined
  return found ?? target
}

/** Hands out every name once. */
export class Names {
  private readonly taken: Set<string>

  constructor(taken: Iterable<string> = []) {
    this.taken = new Set(taken)
  }

  /** False, and nothing is taken, when one of them is no name or is taken already. */
  take(...names: string[]): boolean {
    const free = names.every((name) => isName(name) && !this.taken.has(name))
    if (free) for (const name of names) this.taken.add(name)
    return free
  }
}
