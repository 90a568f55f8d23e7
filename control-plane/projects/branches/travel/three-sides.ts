import { createHash } from 'node:crypto'

/** What settings can be. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
/** One side of a comparison, by name; what it does not name it does not have. */
export type Side<T extends Json = Json> = Readonly<Record<string, T>>

/** Branch and main as they are, and what main had when the branch last took over from it. */
export type Sides<T extends Json = Json> = { branch: Side<T>; main: Side<T>; seen: Side<T> }

/** The same text for the same value, whatever order its keys came in. */
export function canonical(value: Json | undefined): string {
  if (value === undefined) return ''
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(',')}}`
}
export const digestOf = (value: Json): string =>
  createHash('sha256').update(canonical(value)).digest('hex')
export const isSame = (a: Json | undefined, b: Json | undefined): boolean =>
  canonical(a) === canonical(b)

const own = <T extends Json>(side: Side<T>, name: string): T | undefined =>
  Object.hasOwn(side, name) ? side[name] : undefined
const changedIn = (now: Side, seen: Side): string[] =>
  Object.keys(now).filter((name) => !isSame(own(now, name), own(seen, name)))

/** What goes from the branch to main: what was changed here and is not the same there. */
export const toMerge = ({ branch, main, seen }: Sides): string[] =>
  changedIn(branch, seen).filter((name) => !isSame(own(main, name), own(branch, name)))

/** Changed on both sides, each in its own way; one that main has no more was changed there, too. */
export const conflictsIn = (sides: Sides): string[] =>
  toMerge(sides).filter((name) => !isSame(own(sides.main, name), own(sides.seen, name)))

/** What a branch takes over from main: what was changed there and not here, and what is asked for. */
export function toPull({ branch, main, seen }: Sides, asked: readonly string[] = []): string[] {
  return changedIn(main, seen).filter(
    (name) =>
      !isSame(own(main, name), own(branch, name)) &&
      (isSame(own(branch, name), own(seen, name)) || asked.includes(name)),
  )
}

const side = <T extends Json>(entries: (readonly [string, T | undefined])[]): Side<T> =>
  Object.fromEntries(entries.flatMap(([name, one]) => (one === undefined ? [] : [[name, one]])))
const namesOf = (...sides: Side[]) => [...new Set(sides.flatMap((one) => Object.keys(one)))]

/**
 * What a branch has seen after an update: main as it is. What main has no more, and the branch has as it was, it has seen all the same,
 * or a merge would bring it back.
 */
export const seenAfterPull = <T extends Json>({ branch, main, seen }: Sides<T>): Side<T> =>
  side(
    namesOf(main, seen).map((name) => {
      const there = own(main, name)
      const isUntouched = isSame(own(branch, name), own(seen, name))
      const kept = isUntouched ? own(seen, name) : undefined
      return [name, there === undefined ? kept : there]
    }),
  )

/**
 * What a branch has seen after a merge: what both agree in now. What main alone has changed meanwhile the branch has not seen, and the
 * next merge would take it back otherwise.
 */
export const seenAfterMerge = <T extends Json>({ branch, main, seen }: Sides<T>): Side<T> =>
  side(
    namesOf(branch, main, seen).map((name) => {
      const there = own(main, name)
      return [
        name,
        there !== undefined && isSame(own(branch, name), there) ? there : own(seen, name),
      ]
    }),
  )
