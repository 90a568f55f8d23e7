/** Reads one parameter of an address; undefined where it is missing or no such value. */
export type Param<T> = (value: unknown) => T | undefined

export const text: Param<string> = (value) =>
  typeof value === 'string' && value !== '' ? value : undefined

/** The same parameter several times. */
export const texts: Param<string[]> = (value) => {
  const all = (Array.isArray(value) ? value : [value]).filter((one) => text(one) !== undefined)
  return all.length > 0 ? all : undefined
}

export const oneOf =
  <T extends string>(...choices: readonly T[]): Param<T> =>
  (value) =>
    choices.find((choice) => choice === value)

export const flag: Param<true> = (value) => (value === true || value === 'true' ? true : undefined)

/** A whole number above 0. */
export const id: Param<number> = (value) => {
  const number = Number(value)
  return Number.isInteger(number) && number > 0 ? number : undefined
}

type Schema = Record<string, Param<unknown>>
type ValuesOf<S extends Schema> = { [Name in keyof S]?: Exclude<ReturnType<S[Name]>, undefined> }
export type SearchOf<Read extends (search: never) => unknown> = ReturnType<Read>

/**
 * What a page keeps in its address. An address can hold anything: the result reads it for `validateSearch`, and writes it
 * for `navigate`, where what is empty is left out. It is a constant beside the route: inside, the route would decide its type.
 */
export const searchParams =
  <S extends Schema>(schema: S) =>
  (search: Record<string, unknown>): ValuesOf<S> => {
    const values = Object.entries(schema).map(([name, read]) => [name, read(search[name])] as const)
    const found = Object.fromEntries(values.filter(([, value]) => value !== undefined))
    // The names are those of the schema, and each value is what its own parameter reads.
    return found as ValuesOf<S>
  }

/** The same where every parameter is a text. */
export const textParams = <Name extends string>(
  ...names: readonly Name[]
): ((search: Record<string, unknown>) => { [N in Name]?: string }) =>
  searchParams(
    // The keys are the names themselves.
    Object.fromEntries(names.map((name) => [name, text])) as Record<Name, Param<string>>,
  )
